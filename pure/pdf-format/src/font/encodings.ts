/** Characters of the codes from 32 to 126. */
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(index + 32)).join('')

/** Windows-1252 from 128 on; codes without a character are bullets, as the format has it. */
const WINDOWS_HIGH =
  '€•‚ƒ„…†‡ˆ‰Š‹Œ•Ž••‘’“”•–—˜™š›œ•žŸ' +
  Array.from({ length: 96 }, (_, index) => String.fromCharCode(index + 160)).join('')

const MAC_HIGH =
  'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›' +
  'ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ'

/** StandardEncoding where it differs from ASCII, and from 161 on; a space stands for a code without a character. */
const STANDARD_HIGH = "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ –†‡· ¶•‚„”»…‰ ¿ `´ˆ˜¯˘˙¨ ˚¸ ˝˛ˇ—                Æ ª    ŁØŒº     æ   ı  łøœß    "

export type EncodingName = 'StandardEncoding' | 'WinAnsiEncoding' | 'MacRomanEncoding'

const TABLES: Record<EncodingName, ReadonlyMap<number, string>> = {
  StandardEncoding: tableOf(ASCII.replace("'", '’').replace('`', '‘'), 161, STANDARD_HIGH),
  WinAnsiEncoding: tableOf(ASCII, 128, WINDOWS_HIGH),
  MacRomanEncoding: tableOf(ASCII, 128, MAC_HIGH),
}

export function encodingTable(name: EncodingName): ReadonlyMap<number, string> {
  return TABLES[name]
}

export function isEncodingName(name: string): name is EncodingName {
  return Object.hasOwn(TABLES, name)
}

function tableOf(low: string, highStart: number, high: string): ReadonlyMap<number, string> {
  const rows = Array.from(low, (character, index) => [index + 32, character] as const)
  const above = Array.from(high, (character, index) => [index + highStart, character] as const)
  return new Map([...rows, ...above.filter(([, character]) => character !== ' ')])
}
