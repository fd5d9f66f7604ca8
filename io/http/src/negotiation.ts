/**
 * Whether an `Accept` header prefers `application/xml` to `application/json`. JSON wins ties, and is sent to a caller
 * that accepts neither: an answer in another format is more useful than a 406.
 */
export function prefersXml(header: string | undefined): boolean {
  if (header === undefined || !/xml/i.test(header)) return false
  const ranges = header.split(',').map(readRange)
  return qualityOf('application/xml', ranges) > qualityOf('application/json', ranges)
}

interface MediaRange {
  readonly type: string
  readonly quality: number
}

function readRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  return { type, quality: quality === undefined ? 1 : readQuality(quality.slice(2)) }
}

function readQuality(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0
}

/** The most specific range decides, as in RFC 9110 12.5.1. */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  for (const wanted of [type, 'application/*', '*/*']) {
    const range = ranges.find((candidate) => candidate.type === wanted)
    if (range !== undefined) return range.quality
  }
  return 0
}
