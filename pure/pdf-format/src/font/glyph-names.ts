/** Names of glyphs outside of ASCII letters, as `name character` pairs; accented letters are composed below. */
const NAMED = new Map(
  (
    'space 0020 exclam 0021 quotedbl 0022 numbersign 0023 dollar 0024 percent 0025 ampersand 0026 quotesingle 0027 ' +
    'parenleft 0028 parenright 0029 asterisk 002a plus 002b comma 002c hyphen 002d period 002e slash 002f zero 0030 ' +
    'one 0031 two 0032 three 0033 four 0034 five 0035 six 0036 seven 0037 eight 0038 nine 0039 colon 003a ' +
    'semicolon 003b less 003c equal 003d greater 003e question 003f at 0040 bracketleft 005b backslash 005c ' +
    'bracketright 005d asciicircum 005e underscore 005f grave 0060 braceleft 007b bar 007c braceright 007d ' +
    'asciitilde 007e exclamdown 00a1 cent 00a2 sterling 00a3 currency 00a4 yen 00a5 brokenbar 00a6 section 00a7 ' +
    'dieresis 00a8 copyright 00a9 ordfeminine 00aa guillemotleft 00ab logicalnot 00ac registered 00ae macron 00af ' +
    'degree 00b0 plusminus 00b1 twosuperior 00b2 threesuperior 00b3 acute 00b4 mu 00b5 paragraph 00b6 ' +
    'periodcentered 00b7 cedilla 00b8 onesuperior 00b9 ordmasculine 00ba guillemotright 00bb onequarter 00bc ' +
    'onehalf 00bd threequarters 00be questiondown 00bf AE 00c6 Eth 00d0 multiply 00d7 Oslash 00d8 Thorn 00de ' +
    'germandbls 00df ae 00e6 eth 00f0 divide 00f7 oslash 00f8 thorn 00fe Dcroat 0110 dcroat 0111 dotlessi 0131 ' +
    'Lslash 0141 lslash 0142 OE 0152 oe 0153 florin 0192 circumflex 02c6 caron 02c7 breve 02d8 dotaccent 02d9 ' +
    'ring 02da ogonek 02db tilde 02dc hungarumlaut 02dd endash 2013 emdash 2014 quoteleft 2018 quoteright 2019 ' +
    'quotesinglbase 201a quotedblleft 201c quotedblright 201d quotedblbase 201e dagger 2020 daggerdbl 2021 ' +
    'bullet 2022 ellipsis 2026 perthousand 2030 guilsinglleft 2039 guilsinglright 203a fraction 2044 Euro 20ac ' +
    'trademark 2122 minus 2212 nbspace 00a0 nonbreakingspace 00a0 sfthyphen 00ad softhyphen 00ad'
  )
    .split(' ')
    .flatMap((name, index, all) =>
      index % 2 === 0 ? [[name, String.fromCharCode(parseInt(all[index + 1] ?? '', 16))] as const] : [],
    ),
)

const LIGATURES = new Map([
  ['ff', 'ff'],
  ['fi', 'fi'],
  ['fl', 'fl'],
  ['ffi', 'ffi'],
  ['ffl', 'ffl'],
])

const ACCENTS = new Map([
  ['grave', '\u{300}'],
  ['acute', '\u{301}'],
  ['circumflex', '\u{302}'],
  ['tilde', '\u{303}'],
  ['macron', '\u{304}'],
  ['breve', '\u{306}'],
  ['dotaccent', '\u{307}'],
  ['dieresis', '\u{308}'],
  ['ring', '\u{30a}'],
  ['hungarumlaut', '\u{30b}'],
  ['caron', '\u{30c}'],
  ['commaaccent', '\u{327}'],
  ['cedilla', '\u{327}'],
  ['ogonek', '\u{328}'],
])

/** The text of a glyph by its name, for Latin scripts; null for names that only a font knows. */
export function textOfGlyph(name: string): string | null {
  const [plain = ''] = name.split('.', 1)
  const parts = plain.split('_').map(textOfPart)
  return parts.includes(null) ? null : parts.join('')
}

function textOfPart(name: string): string | null {
  if (/^[a-z]$/i.test(name)) return name
  return NAMED.get(name) ?? LIGATURES.get(name) ?? accented(name) ?? byNumber(name)
}

function accented(name: string): string | null {
  const accent = ACCENTS.get(name.slice(1))
  return accent === undefined || !/^[a-z]/i.test(name) ? null : `${name.charAt(0)}${accent}`.normalize('NFC')
}

function byNumber(name: string): string | null {
  const hex = /^uni((?:[0-9A-F]{4}){1,8})$/.exec(name)?.[1] ?? /^u([0-9A-F]{4,6})$/.exec(name)?.[1]
  if (hex === undefined) return null
  if (name.startsWith('uni'))
    return Array.from({ length: hex.length / 4 }, (_, at) =>
      String.fromCharCode(parseInt(hex.slice(at * 4, at * 4 + 4), 16)),
    ).join('')
  const point = parseInt(hex, 16)
  return point > 0x10ffff ? null : String.fromCodePoint(point)
}
