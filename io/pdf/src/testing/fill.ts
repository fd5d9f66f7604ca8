import { accept, decline, type Result } from '@sealpost/kernel'
import { openPdf, openTemplate, PdfRefused, type PdfRefusal } from '@sealpost/pdf-format'
import { type FilledTemplate, fillTemplate } from '../fill/fill-template.ts'
import { FontBook } from '../fonts/font-book.ts'

export interface FilledHere extends FilledTemplate {
  /** The given file, if it has no tags. */
  readonly result: Uint8Array
}

/** The steps of a child in this process, without its limits. */
export async function fillHere(
  file: Uint8Array,
  values: Readonly<Record<string, string>>,
  onStep: (step: 'fonts' | 'read' | 'fill') => void = () => {},
): Promise<Result<FilledHere, PdfRefusal>> {
  const book = await FontBook.open()
  onStep('fonts')
  const opened = openPdf(file)
  onStep('read')
  if (!opened.ok) return opened
  try {
    const filled = await fillTemplate(book, opened.value, new Map(Object.entries(values)))
    onStep('fill')
    return accept({ ...filled, result: filled.bytes ?? file })
  } catch (error) {
    if (error instanceof PdfRefused) return decline(error.refusal)
    throw error
  }
}

/** Names of persons and companies, one of each script that templates of the corpus have, and a plain one. */
export const NAMES = {
  latin: 'Zoë Łódź-Ångström',
  cyrillic: 'Анна Щербакова',
  greek: 'Ελένη Παπαδοπούλου',
  arabic: 'فاطمة الزهراء',
  hebrew: 'דוד בן־גוריון',
  devanagari: 'अनुष्का शर्मा',
  han: '李小龍',
  plain: 'Anna Smith 42',
} as const

/** A value for each key: that of the script in its name, or the next one. */
export function valuesFor(keys: readonly string[]): Readonly<Record<string, string>> {
  const all = Object.values(NAMES)
  return Object.fromEntries(
    keys.map((key, at) => {
      const script = Object.entries(NAMES).find(([name]) => key.startsWith(name))?.[1]
      return [key, script ?? all[at % all.length] ?? '']
    }),
  )
}

/** A piece of text as our own reader finds it: from the left end to the right one. */
export interface ReadLine {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly size: number
  readonly font: string
}

/** The text of a page, in the order in which it is drawn, in pieces of one operator. */
export function readLines(file: Uint8Array, page = 0): readonly ReadLine[] {
  const opened = openPdf(file)
  if (!opened.ok) throw new Error(opened.refusal)
  const lines: ReadLine[] = []
  let last: object | null = null
  for (const { text, startX, startY, endX, em, show } of openTemplate(opened.value).read(page).shown.glyphs) {
    const known = lines.at(-1)
    const isNext = known !== undefined && last === show.state && Math.abs(known.right - startX) < em && known.bottom === startY
    if (isNext) lines[lines.length - 1] = { ...known, text: known.text + (text ?? ''), right: endX }
    else lines.push({ text: text ?? '', left: startX, right: endX, bottom: startY, size: em, font: show.font.name })
    last = show.state
  }
  return lines
}
