import { buffer } from 'node:stream/consumers'
import { openPdf } from '@sealpost/pdf-format'
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
if (frame !== null && isJob(frame.head)) {
  const job = frame.head
  const opened = openPdf(frame.bytes)
  if (!opened.ok) process.stdout.write(packFrame({ type: 'refused', refusal: opened.refusal }, new Uint8Array()))
  else {
    const { facts } = opened.value
    const recordBytes = job.type === 'seal' ? Buffer.from(JSON.stringify(job.record), 'utf8') : null
    const update =
      job.type === 'seal' && recordBytes !== null
        ? await appendSeal(book, opened.value, { ...job, recordBytes, validation: decoded(job.validation) })
        : new Uint8Array()
    process.stdout.write(packFrame({ type: 'accepted', facts }, update))
  }
}

function decoded({ certificates, lists }: Extract<Job, { type: 'seal' }>['validation']) {
  return { certificates: certificates.map(bytesOf), lists: lists.map(bytesOf) }
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64')
}
