/**
 * What is wrong with a query, in Chinese. The query language says it in English; its sentences are few, and are translated
 * here clause by clause. What is not known stays as it is.
 */
type Clause = readonly [english: RegExp, chinese: string];

/** Each matches where the one before ended. The query language itself is quoted, never translated. */
const CLAUSES: readonly Clause[] = (
  [
    // What is wrong.
    ['a path needs a value', '路径需要一个值'],
    ['unexpected (.) in a path', '路径中不能有 $1'],
    ['a key is missing in the path', '路径中缺少键'],
    ['expected a number or \\* in brackets', '方括号中应是数字或 *'],
    ['unclosed quote', '引号没有闭合'],
    ['unclosed regular expression', '正则表达式没有闭合'],
    ['unknown flag "(.*)"', '未知的标志 "$1"'],
    ['empty regular expression', '正则表达式是空的'],
    ['invalid regular expression: (.*)', '正则表达式无效：$1'],
    ['expected a space before (.)', '$1 前面应有空格'],
    ['expected a term after the minus', '减号后面应有条件'],
    ['a term can have only one minus', '一个条件只能有一个减号'],
    ['empty text', '文本是空的'],
    ['full-width colon', '这是全角冒号'],
    ['expected a qualifier before the colon', '冒号前面应有限定词'],
    ['unknown qualifier "(.*)"', '未知的限定词 "$1"'],
    ['expected a value', '应有一个值'],
    ['expected a term after (.+)', '$1 后面应有条件'],
    ['expected a term before (.+)', '$1 前面应有条件'],
    ['(\\S+) needs a value', '$1 需要一个值'],
    ['empty parentheses', '括号是空的'],
    ['unexpected \\)', '多了一个 )'],
    ['unclosed parenthesis', '括号没有闭合'],
    ['"(.*)" is not a comparison with a number', '"$1" 不是与数字的比较'],
    ['(\\w+:) does not accept patterns', '$1 不接受模式'],
    ['invalid value "(.*)" for (\\w+:)', '"$1" 不是 $2 的有效值'],
    ['empty range', '范围是空的'],
    ['the pattern is too complex for (\\w+:)', '对 $1 来说模式太复杂'],
    ['no value of (\\w+:) matches "(.*)"', '$1 没有匹配 "$2" 的值'],
    ['no value of (\\w+:) matches', '$1 没有匹配的值'],
    ['the path is too long', '路径太长'],
    ['the key is too long', '键太长'],
    ['the query is too long', '查询太长'],
    ['the text is too long', '文本太长'],
    ['the value is too long', '值太长'],
    ['the regular expression is too long', '正则表达式太长'],
    ['the query has too many values', '查询中的值太多'],
    ['groups are nested too deeply', '括号嵌套太深'],
    ['this regular expression may take too long in a page', '在页面里，这个正则表达式可能要花太长时间'],
    ['a regular expression in the query took too long on one line', '查询中的正则表达式在某一行上花了太长时间'],
    // What to write instead.
    ['did you mean ([^ ?]+)', '是不是 $1'],
    [' or ([^ ?]+)', ' 或 $1'],
    ['\\? ', '？'],
    ['to search for the text, quote it: (.*)', '要搜索这段文本，请加引号：$1'],
    ['to search for the text, quote all of it', '要搜索这段文本，请给全文加引号'],
    ['to search for the word, quote it: (.*)', '要搜索这个词，请加引号：$1'],
    ['to search for plain text, use quotes instead of slashes', '要搜索普通文本，请用引号代替斜杠'],
    ['(\\S+:\\*) matches if it exists', '$1 表示它存在'],
    ['quote keys with special characters: (.*)', '含特殊字符的键要加引号：$1'],
    ['example: \\[0\\], or \\[\\*\\] for any element', '例如 [0]，任意元素用 [*]'],
    ['example: (.*)', '例如 $1'],
    ['close it with "', '用 " 闭合'],
    ['close it with /', '用 / 闭合'],
    ['close it with \\), or quote it as text', '用 ) 闭合，或者作为文本加引号'],
    ['write \\\\" for a quote inside', '里面的引号写作 \\"'],
    ['matching ignores case', '匹配不区分大小写'],
    ['text that starts with a slash needs quotes: (.*)', '以斜杠开头的文本要加引号：$1'],
    ['put a space after the closing slash of a regular expression, or ', '在正则表达式的结束斜杠后面加空格，或者'],
    ['put the whole text in quotes', '给整段文本加引号'],
    ['quote the text: (.*)', '给文本加引号：$1'],
    ['a minus negates the term directly after it', '减号否定紧跟其后的条件'],
    ['use a plain colon: (.*)', '请用半角冒号：$1'],
    ['write the value without a space before it', '值的前面不要有空格'],
    ['write the text to search for', '写出要搜索的文本'],
    ['write the smaller value first', '先写较小的值'],
    ['write a value', '写一个值'],
    ['write a term inside', '在里面写一个条件'],
    ['remove it, or quote it as text', '删除它，或者作为文本加引号'],
    ['at most (\\d+) steps', '最多 $1 级'],
    ['at most (\\d+) characters', '最多 $1 个字符'],
    ['at most (\\d+) values and texts', '最多 $1 个值和文本'],
    ['at most (\\d+) levels', '最多 $1 层'],
    ['use a plain number, or quote the text', '写一个普通的数字，或者给文本加引号'],
    [
      'write a number, a range like 1\\.\\.\\*, or a signal like SIGTERM',
      '写一个数字、像 1..* 这样的范围，或像 SIGTERM 这样的信号',
    ],
    ['write a number like (\\d+), or a range like (\\S+): (.*)', '写一个像 $1 这样的数字，或像 $2 这样的范围：$3'],
    [
      'write a duration like 500ms, 30s, 2m or 1h, or a range like (\\S+): (.*)',
      '写一个时长，如 500ms、30s、2m 或 1h，或像 $1 这样的范围：$2',
    ],
    [
      'write a size like 500, 20kb or 1mb, or a range like (\\S+): (.*)',
      '写一个大小，如 500、20kb 或 1mb，或像 $1 这样的范围：$2',
    ],
    [
      'write a UTC date or time like (\\S+), today, yesterday, or a range like (\\S+): (.*)',
      '写一个 UTC 日期或时间，如 $1、today、yesterday，或像 $2 这样的范围：$3',
    ],
    ['list the values', '列出各个值'],
    ['use one of: (.*), or what ls shows: (.*)', '可用的值：$1，或 ls 显示的内容：$2'],
    ['use one of: (.*)', '可用的值：$1'],
    ['avoid nested repetition such as \\(a\\+\\)\\+', '避免像 (a+)+ 这样的嵌套重复'],
    [', or use wiretape filter', '，或者使用 wiretape filter'],
    ['; ', '；'],
  ] as const
).map(([english, chinese]) => [new RegExp(english, 'ys'), chinese]);

export function inChinese(sentence: string): string {
  let out = '';
  for (let at = 0; at < sentence.length; ) {
    const [text, length] = clauseAt(sentence, at);
    if (length === 0) return out + sentence.slice(at);
    out += text;
    at += length;
  }
  return out;
}

function clauseAt(sentence: string, at: number): [text: string, length: number] {
  for (const [english, chinese] of CLAUSES) {
    english.lastIndex = at;
    const found = english.exec(sentence);
    if (!found) continue;
    const text = chinese.replace(/\$(\d)/g, (_, n: string) => found[Number(n)] ?? '');
    return [text, found[0].length];
  }
  return ['', 0];
}
