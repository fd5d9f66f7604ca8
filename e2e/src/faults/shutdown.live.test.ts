import { get, type IncomingMessage } from 'node:http'
import { membersOf, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'

/** More than sockets hold on the way, so that a reader who pauses keeps the process sending. */
const SIZE = 20 * 1_048_576
const bytes = Buffer.alloc(SIZE, 0x41)
bytes.write('%PDF-1.7\n')

const world = await openWorld()
const service = await world.service([{ slug: 'paper', type: 'document' }])
const uri = `data:application/pdf;base64,${bytes.toString('base64')}`
const { connectionId } = await world.customer(service, [{ slug: 'paper', file: { file: uri, original_name: 'a.pdf' } }])
const values = membersOf((await service.read(connectionId))?.['values'])
const path = String(membersOf(values['paper'])['value_url'])
const token = await world.token(service.client)

/** A download of which nothing is read yet. */
function beginDownload(url: string | null): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } }, resolve).on('error', reject)
  })
}

async function readAll(download: IncomingMessage): Promise<number | 'cut'> {
  let size = 0
  try {
    for await (const chunk of download) size += (chunk as Buffer).length
  } catch {
    return 'cut'
  }
  return size
}

test('a process that ends lets downloads in flight end, and cuts them after SHUTDOWN_GRACE_SECONDS', async () => {
  const [hasty, patient] = [
    await world.another('eu', { SHUTDOWN_GRACE_SECONDS: '1' }),
    await world.another('eu', { SHUTDOWN_GRACE_SECONDS: '120' }),
  ]
  const [cut, whole] = [await beginDownload(hasty.url), await beginDownload(patient.url)]
  const ended = patient.close()
  await hasty.close()
  expect(await readAll(cut)).toBe('cut')
  expect(await readAll(whole)).toBe(SIZE)
  await ended
})
