import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { RUN, runRoutes } from '../../test/stub-run.ts'
import { fileReply, newServiceKey, startStubService } from '../../test/stub-service.ts'
import { EnvelopeError } from '../files/envelope.ts'

const ENVELOPE = '{"file":"data:application/pdf;base64,JVBERg==","original_name":"Contract.pdf","size":4}'

test('the own copy of an output is read as {encrypted, value} and as the bare wrapper', async () => {
  const { key, seal } = await newServiceKey()
  const wrapper = await seal(ENVELOPE)
  let body = ''
  const file = ({ path }: { readonly path: string }) =>
    path.endsWith('/documents/contract/file') ? fileReply(body, 'application/json') : null
  await using stub = await startStubService(runRoutes({}, () => ({}), file))
  const read = (answered: string) => {
    body = answered
    return stub.client.flows.openDocument(RUN, 'contract', key)
  }
  const expected = {
    file: expect.objectContaining({ originalName: 'Contract.pdf' }),
    contentSha256: createHash('sha256').update(wrapper).digest('hex'),
    plainSha256: createHash('sha256').update('%PDF').digest('hex'),
  }
  expect(await read(JSON.stringify({ encrypted: true, value: wrapper }))).toEqual(expected)
  expect(await read(wrapper)).toEqual(expected)
  await expect(read(JSON.stringify({ encrypted: false, value: ENVELOPE }))).rejects.toThrow(EnvelopeError)
  await expect(read('{}')).rejects.toThrow()
})
