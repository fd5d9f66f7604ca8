import { buffer } from 'node:stream/consumers'
import { openPdf, type OpenedPdf, PdfRefused, scanTemplate } from '@sealpost/pdf-format'
import { fillTemplate } from '../fill/fill-template.ts'
import { FontBook } from '../fonts/font-book.ts'
import { appendSeal } from '../update/append-seal.ts'
import { type Job, packFrame, unpackFrame } from './frames.ts'
import { isJob } from './is-job.ts'

/**
 * One job: the frame on stdin, the answer on stdout; an empty stdout means failure. A child waits here with everything
 * loaded before it gets its job.
 */
const book = await FontBook.open()
const frame = unpackFrame(await buffer(process.stdin))
if (frame !== null && isJob(frame.head)) process.stdout.write(await answerTo(frame.head, frame.bytes))

async function answerTo(job: Job, bytes: Buffer): Promise<Buffer> {
  if (job.type === 'scan') return scan(bytes)
  const opened = openPdf(bytes)
  if (!opened.ok) return packFrame({ type: 'refused', refusal: opened.refusal }, new Uint8Array())
  const { facts } = opened.value
  if (job.type === 'inspect') return packFrame({ type: 'accepted', facts }, new Uint8Array())
  if (job.type === 'fill') return fill(opened.value, new Map(Object.entries(job.values)))
  const recordBytes = Buffer.from(JSON.stringify(job.record), 'utf8')
  const update = await appendSeal(book, opened.value, { ...job, recordBytes, validation: decoded(job.validation) })
  return packFrame({ type: 'accepted', facts }, update)
}

function scan(bytes: Buffer): Buffer {
  const scanned = scanTemplate(bytes)
  return scanned.ok
    ? packFrame({ type: 'scanned', scan: scanned.value }, new Uint8Array())
    : packFrame({ type: 'refused', refusal: scanned.refusal }, new Uint8Array())
}

async function fill(opened: OpenedPdf, values: ReadonlyMap<string, string>): Promise<Buffer> {
  try {
    const { bytes, ...outcome } = await fillTemplate(book, opened, values)
    // What leaves here is signed next: a mistake is found now, and not when the last party signs.
    if (bytes !== null && !openPdf(bytes).ok) throw new Error('the filled file does not pass the gate')
    return packFrame({ type: 'filled', outcome }, bytes ?? new Uint8Array())
  } catch (error) {
    if (error instanceof PdfRefused) return packFrame({ type: 'refused', refusal: error.refusal }, new Uint8Array())
    throw error
  }
}

function decoded({ certificates, lists }: Extract<Job, { type: 'seal' }>['validation']) {
  return { certificates: certificates.map(bytesOf), lists: lists.map(bytesOf) }
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64')
}
