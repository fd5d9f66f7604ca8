/** Spellings by which a client with access to `own` might get past a check of `foreign`. */
export function pathTricks(own: string, foreign: string): readonly string[] {
  return [
    ...new Set([...traversals(own, foreign), ...spellings(foreign), ...endings(foreign), ...addresses(own, foreign)]),
  ]
}

const UPS = [
  '..',
  '%2e%2e',
  '%2E%2E',
  '.%2e',
  '%2e.',
  '%252e%252e',
  '..;',
  '..;a=b',
  '..%00',
  '%c0%ae%c0%ae',
  '%e0%80%ae%e0%80%ae',
  '．．',
  '...',
  '..%01',
  '..%20',
  '%uff0e%uff0e',
]
const SLASHES = ['/', '%2f', '%2F', '%252f', '\\', '%5c', '%255c', '//', '/./', '%c0%af', '／', '/%20/']

/** Parent-directory segments after `own`, in every spelling of `..` and of the slash. */
function traversals(own: string, foreign: string): readonly string[] {
  const depth = own.split('/').length - 1
  const tricks: string[] = []
  for (const up of UPS) {
    for (const slash of SLASHES) {
      tricks.push(`${own}${slash}${`${up}${slash}`.repeat(depth)}${foreign.slice(1)}`)
    }
    tricks.push(`/${up}${foreign}`, `${own}/${up}${foreign}`, `/api/${up}/${foreign.slice('/api/'.length)}`)
  }
  return tricks
}

/** Spellings that a careless parser reads as the same path. */
function spellings(foreign: string): readonly string[] {
  const letters = foreign.split('')
  const place = foreign.lastIndexOf('/') + 1
  const swap = (at: number, by: string): string => foreign.slice(0, at) + by + foreign.slice(at + 1)
  const escape = (letter: string): string => (letter === '/' ? letter : `%${hex(letter)}`)
  return [
    foreign,
    foreign.toUpperCase(),
    swap(place, foreign.charAt(place).toUpperCase()),
    foreign.replace('/api', '/API'),
    foreign.replace('/api', '/Api'),
    letters.map(escape).join(''),
    letters.map((letter) => escape(letter).toUpperCase()).join(''),
    letters.map((letter) => (letter === '/' ? letter : `%25${hex(letter)}`)).join(''),
    letters.map((letter) => `%${hex(letter)}`).join(''),
    swap(place, `%${hex(foreign.charAt(place))}`),
    swap(place, `%25${hex(foreign.charAt(place))}`),
    swap(place, `%u00${hex(foreign.charAt(place))}`),
    swap(place, String.fromCharCode(foreign.charCodeAt(place) + 0xfee0)),
    swap(place, `${foreign.charAt(place)}\u0301`),
    swap(place, `${foreign.charAt(place)}%C2%AD`),
    swap(place, `%00${foreign.charAt(place)}`),
    swap(place, `%0d%0a${foreign.charAt(place)}`),
    swap(place, `\t${foreign.charAt(place)}`),
    foreign.replaceAll('/', '//'),
    foreign.replaceAll('/', '\\'),
    foreign.replaceAll('/', '%2f'),
    foreign.replaceAll('/', '%5c'),
    foreign.replaceAll('/', '/./'),
    foreign.replaceAll('/', '/%2e/'),
    foreign.replaceAll('/', ';/'),
    `/${foreign}`,
    `//evil.example${foreign}`,
    `/.${foreign}`,
    `/%2e${foreign}`,
    `\\${foreign.slice(1)}`,
    foreign.slice(1),
  ]
}

const ENDINGS = [
  '/',
  '//',
  '/.',
  '/..',
  '/./',
  '%2f',
  '%2F',
  '%20',
  '%09',
  '%00',
  '%0a',
  ';',
  ';a=b',
  '.json',
  '.xml',
  '?',
  '??',
  '#',
  '%3f',
  '%23',
  '\\',
  '%5c',
  '*',
  '%2a',
  '..;/',
  '/;/',
  '~',
  '/*',
  '%',
  '%zz',
  '&',
  '/%2e',
  '@',
]

function endings(foreign: string): readonly string[] {
  return [
    ...ENDINGS.map((ending) => `${foreign}${ending}`),
    `${foreign}${'/a'.repeat(1500)}`,
    `${foreign}${'%61'.repeat(1000)}`,
    `${'/.'.repeat(900)}${foreign}`,
    `${foreign}/${'a'.repeat(5000)}`,
  ]
}

/** Absolute URLs as request target, and paths in queries. */
function addresses(own: string, foreign: string): readonly string[] {
  return [
    `http://evil.example${foreign}`,
    `HTTP://127.0.0.1${foreign}`,
    `https://127.0.0.1:1${own}/..${foreign}`,
    `http://127.0.0.1${own}@evil.example${foreign}`,
    `http:${foreign}`,
    `file://${foreign}`,
    `http://evil.example\\${foreign}`,
    `${own}?/../..${foreign}`,
    `${own}?path=${foreign}`,
    `${own}%3f/../..${foreign}`,
    `${foreign}?x=${own}`,
    `${foreign}?/../..${own}`,
    `${own}#${foreign}`,
    `${own}%23/../..${foreign}`,
    `${own};${foreign}`,
    `${own},${foreign}`,
    `${own} ${foreign}`,
    `*`,
  ]
}

function hex(letter: string): string {
  return letter.charCodeAt(0).toString(16)
}
