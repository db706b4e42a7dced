/** What the page of a review says, in two languages. */
import type { Language } from '../report/words.ts';

export interface ReviewWords {
  title: string;
  private: string;
  about: (session: string, frames: number) => string;
  kept: string;
  keptNone: string;
  keptHow: string;
  replaced: string;
  replacedNone: string;
  replacedHow: string;
  characters: (n: number) => string;
  places: (n: number) => string;
  frames: string;
  beside: string;
  noContext: string;
  noPattern: string;
  more: (n: number) => string;
  kinds: Record<string, string>;
}

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

const EN: ReviewWords = {
  title: 'Before you send it',
  private: 'For your own eyes. This page has parts of private data: do not send it.',
  about: (session, frames) => `Session ${session}, ${plural(frames, 'frame')}`,
  kept: 'Kept, although it looks private',
  keptNone: 'Nothing that was kept looks private.',
  keptHow:
    'These values are sent as they are. The most suspicious come first. Add the option to redact, report or export to replace a value, or --keep with the same pattern if it may be sent.',
  replaced: 'Replaced',
  replacedNone: 'Nothing was replaced.',
  replacedHow: 'Whoever receives the session sees the pseudonym. Add the option if the value should stay.',
  characters: (n) => plural(n, 'character'),
  places: (n) => plural(n, 'place'),
  frames: 'frames',
  beside: 'beside the frames',
  noContext: 'in encoded text or in numbers',
  noPattern: 'too short to be told by its ends: write the value itself',
  more: (n) => `and ${n} more`,
  kinds: {
    'named-secret': 'behind the name of a secret',
    random: 'looks random',
    'email-like': 'like an e-mail address',
    'user-name': 'a user name',
    person: 'a person',
    'mac-address': 'MAC address',
    'public-address': 'public address',
    'host-name': 'host name',
    'phone-like': 'like a phone number',
    'card-like': 'like a card number',
    base64: 'base64 of something that is no text',
    hex: 'long hexadecimal number',
    id: 'id',
  },
};

const ZH: ReviewWords = {
  title: '发送之前',
  private: '仅供您本人查看。此页面包含部分隐私数据：请勿发送。',
  about: (session, frames) => `会话 ${session}，${frames} 帧`,
  kept: '看起来像隐私但未替换',
  keptNone: '未替换的内容中没有看起来像隐私的。',
  keptHow:
    '这些值将原样发送，最可疑的在前。把选项加到 redact、report 或 export 命令即可替换；如果可以发送，请用同样的模式加 --keep。',
  replaced: '已替换',
  replacedNone: '没有替换任何内容。',
  replacedHow: '收到会话的人只看到代称。如果该值应当保留，请加上此选项。',
  characters: (n) => `${n} 个字符`,
  places: (n) => `${n} 处`,
  frames: '帧',
  beside: '帧之外',
  noContext: '在编码文本或数字中',
  noPattern: '太短，无法用首尾字符表示：请直接写出该值',
  more: (n) => `另有 ${n} 个`,
  kinds: {
    'named-secret': '位于机密名称之后',
    random: '看起来是随机值',
    'email-like': '类似电子邮件地址',
    'user-name': '用户名',
    person: '人名',
    'mac-address': 'MAC 地址',
    'public-address': '公网地址',
    'host-name': '主机名',
    'phone-like': '类似电话号码',
    'card-like': '类似卡号',
    base64: '非文本的 base64',
    hex: '长十六进制数',
    id: '标识符',
  },
};

export const REVIEW_WORDS: Record<Language, ReviewWords> = { en: EN, zh: ZH };
