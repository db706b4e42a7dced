/**
 * How likely a letter follows another one inside words of English, of names in programs and of Pinyin, against chance: a row
 * for the first letter, a column for the second one. 6 is as likely as by chance; one more or less is twice or half of that,
 * and 0 is almost never. Counted over some 5600 files of code and documentation.
 */
const PAIR_ROWS = [
  '26762461614868360878554352', // a
  '74548441753842740675810352', // b
  '73538317617643830658622240', // c
  '74369452932534731573631240', // d
  '63785552422668364886354640', // e
  '73448720902634830665703250', // f
  '63549467722657642775633243', // g
  '80039020803553830656620140', // h
  '66766560102669750577350405', // i
  '81158111711411851481845131', // j
  '64459452800636550485515032', // k
  '83369331813733740266641170', // l
  '86349220822562780364612230', // m
  '72777582625435642378551042', // n
  '45663451525679561866756322', // o
  '82448335703733760867622150', // p
  '64115111611645411461934111', // q
  '83559352805465740577542060', // r
  '61638427705544673378734250', // s
  '71539307801532740776513260', // t
  '76656550611778560778110322', // u
  '80509040800343630244400231', // v
  '80358247803537720773414000', // w
  '75758504700460483068520640', // x
  '64537460700677790577445005', // y
  '81119117711454731431531146', // z
];

const CHANCE_DIGIT = 6;

/** In half bits, by the letters as numbers from 0: `first * 26 + second`. */
export const LETTER_PAIRS = Int8Array.from(PAIR_ROWS.join(''), (digit) => 2 * (Number(digit) - CHANCE_DIGIT));
