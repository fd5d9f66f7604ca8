import type { SealAct, SealRecord } from '@sealpost/pdf-format'
import type { Face } from '../fonts/face.ts'
import { BOLD, type FontBook, REGULAR, type Weight } from '../fonts/font-book.ts'
import type { ShapedLine } from '../fonts/shape.ts'
import { drawLine, number } from './operators.ts'
import { wrapText } from './wrap.ts'

/** A4, in points. */
export const PAGE_WIDTH = 595.28
export const PAGE_HEIGHT = 841.89
const MARGIN = 56
const LABEL_WIDTH = 110
const TEXT_SIZE = 10
const LINE_HEIGHT = 1.5

export interface DrawnPage {
  readonly content: string
  /** By their name in the resources. */
  readonly fonts: ReadonlyMap<string, Face>
}

const ACTIONS = { signed: 'Signed', accepted: 'Accepted' } as const satisfies Record<SealAct['action'], string>
const METHODS = {
  biometric: 'device of the signer (biometric or passcode)',
  twofa: 'second factor of the account',
  email: 'code sent by e-mail',
  custodian: 'user acting for a company',
} as const satisfies Record<NonNullable<SealAct['method']>, string>

/** One page or more: the document, the hash of the signed bytes, and each act in the order of signing. */
export async function drawSignaturesPages(book: FontBook, record: SealRecord): Promise<readonly DrawnPage[]> {
  const sheet = new Sheet(book)
  await sheet.heading('Signatures', 20)
  await sheet.row('Document', record.document_name, BOLD)
  await sheet.row('Document ID', record.document_id)
  await sheet.row('SHA-256', record.signed_sha256)
  await sheet.row('Sealed', utcTime(record.sealed_at))
  for (const act of record.acts) {
    sheet.rule()
    await sheet.row(`${act.position}. ${ACTIONS[act.action]} by`, nameOf(act), BOLD)
    await sheet.row('Name', act.signer_name_verified ? 'verified by an identity document' : 'not verified')
    if (act.method !== null) await sheet.row('Method', METHODS[act.method])
    await sheet.row('Time', utcTime(act.created_at))
  }
  sheet.rule()
  await sheet.note(
    'The SHA-256 is that of the file as the signers saw it: all bytes before this page was added. ' +
      'The digital signature of this file covers every page, this one included.',
  )
  return sheet.pages()
}

function nameOf({ signer_first_name: first, signer_last_name: last }: SealAct): string {
  return `${first} ${last}`.trim()
}

function utcTime(text: string): string {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new Error('a time of the record is not valid')
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** Draws from top to bottom and starts a new page when one is full. */
class Sheet {
  readonly #book: FontBook
  readonly #pages: { readonly parts: string[]; readonly fonts: Map<string, Face> }[] = []
  #y = 0

  constructor(book: FontBook) {
    this.#book = book
    this.#turn()
  }

  async heading(text: string, size: number): Promise<void> {
    await this.#text(text, { x: MARGIN, size, weight: BOLD })
    this.#y -= size / 2
  }

  async row(label: string, value: string, weight: Weight = REGULAR): Promise<void> {
    const width = PAGE_WIDTH - 2 * MARGIN - LABEL_WIDTH
    const lines = await wrapText(this.#book, value, { size: TEXT_SIZE, weight, width })
    this.#need(TEXT_SIZE * LINE_HEIGHT)
    const labels = await wrapText(this.#book, label, { size: TEXT_SIZE, weight: REGULAR, width: LABEL_WIDTH - 8 })
    const [shownLabel] = labels
    if (shownLabel !== undefined) this.#draw(shownLabel, MARGIN, TEXT_SIZE)
    for (const line of lines) this.#drawNext(line, MARGIN + LABEL_WIDTH, width, TEXT_SIZE)
  }

  async note(text: string): Promise<void> {
    await this.#text(text, { x: MARGIN, size: 8, weight: REGULAR })
  }

  rule(): void {
    // The lines of an act stay together.
    this.#need(6 * TEXT_SIZE * LINE_HEIGHT)
    this.#y -= TEXT_SIZE / 2
    const y = number(this.#y)
    this.#page().parts.push(`0.5 w 0.7 G ${MARGIN} ${y} m ${number(PAGE_WIDTH - MARGIN)} ${y} l S 0 G`)
    this.#y -= TEXT_SIZE
  }

  pages(): readonly DrawnPage[] {
    return this.#pages.map(({ parts, fonts }) => ({ content: parts.join('\n'), fonts }))
  }

  async #text(text: string, { x, size, weight }: { x: number; size: number; weight: Weight }): Promise<void> {
    const width = PAGE_WIDTH - MARGIN - x
    for (const line of await wrapText(this.#book, text, { size, weight, width })) this.#drawNext(line, x, width, size)
  }

  /** Lines that are read from right to left end at the right. */
  #drawNext(line: ShapedLine, x: number, width: number, size: number): void {
    this.#need(size * LINE_HEIGHT)
    const indent = line.isRightToLeft ? Math.max(0, width - (line.width * size) / 1000) : 0
    this.#draw(line, x + indent, size)
    this.#y -= size * LINE_HEIGHT
  }

  #draw(line: ShapedLine, x: number, size: number): void {
    const page = this.#page()
    page.parts.push(drawLine(line, { x, y: this.#y - size, size, fontName: (face) => this.#fontName(face) }))
  }

  #fontName(face: Face): string {
    const { fonts } = this.#page()
    const known = [...fonts].find(([, one]) => one === face)?.[0]
    if (known !== undefined) return known
    const name = `F${fonts.size + 1}`
    fonts.set(name, face)
    return name
  }

  #need(height: number): void {
    if (this.#y - height < MARGIN) this.#turn()
  }

  #turn(): void {
    this.#pages.push({ parts: ['0 g'], fonts: new Map() })
    this.#y = PAGE_HEIGHT - MARGIN
  }

  #page(): { readonly parts: string[]; readonly fonts: Map<string, Face> } {
    const page = this.#pages.at(-1)
    if (page === undefined) throw new Error('a sheet has no page')
    return page
  }
}
