import { accept, decline } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { readArchiveGiven, readImport } from './import-archive.ts'

const FLOW = {
  format_version: 1,
  name: 'Sale',
  entry: 'start',
  output_mode: 'data_only',
  parties: [{ key: 'us', label: 'Us' }],
  nodes: [
    {
      key: 'start',
      party: 'us',
      title: 'Start',
      elements: [{ kind: 'field', slug: 'name', field_type: 'text', label: 'Name', required: true }],
    },
  ],
  assets: [] as object[],
}
const LOGO = { asset_key: 'logo', kind: 'image', file: 'assets/logo.png', mime_type: 'image/png', original_name: '' }
const MEBIBYTE = 1_048_576

const entry = (name: string, content: string) => ({ name, bytes: Buffer.from(content) })
const flowEntry = (members: object = {}) => entry('flow.json', JSON.stringify({ ...FLOW, ...members }))

function read(...archive: readonly { readonly name: string; readonly bytes: Uint8Array }[]) {
  return readImport(archive, (bytes) => {
    const text = Buffer.from(bytes).toString()
    return text.trim().startsWith('{') ? accept(JSON.parse(text)) : decline({ path: '', message: 'is no JSON' })
  })
}

test('an archive is the content of a data URI', () => {
  expect(readArchiveGiven('data:application/zip;base64,UEs=')).toEqual(Buffer.from('PK'))
})

test.each([[undefined], [7], ['PK'], ['data:application/zip;base64,']])('%o is no archive', (given) => {
  expect(readArchiveGiven(given)).toBeNull()
})

test('a flow is read with its files', () => {
  const result = read(flowEntry({ assets: [LOGO] }), entry('assets/logo.png', 'picture'))
  expect(result).toMatchObject({ ok: true, value: { name: 'Sale' } })
  const files = result.ok ? result.value.files : []
  expect(files).toEqual([{ key: 'logo', originalName: 'assets/logo.png', content: Buffer.from('picture') }])
})

test('a file keeps the name that its author gave it', () => {
  const result = read(flowEntry({ assets: [{ ...LOGO, original_name: 'l.png' }] }), entry('assets/logo.png', 'x'))
  expect(result).toMatchObject({ ok: true, value: { files: [{ originalName: 'l.png' }] } })
})

test.each([
  ['without flow.json', [entry('other.json', '{}')], 'The archive has no flow.json', []],
  ['with a flow.json that is no JSON', [entry('flow.json', 'x')], 'flow.json cannot be read', ['']],
  ['without a flow', [entry('flow.json', '{}')], 'flow.json holds no flow', ['/format_version']],
  ['of a flow without a name', [flowEntry({ name: ' ' })], 'The name of the flow is blank or too long', ['/name']],
  ['of a flow with a long name', [flowEntry({ name: 'n'.repeat(201) })], 'The name of the flow is blank', ['/name']],
  ['with a stray file', [flowEntry(), entry('assets/x.png', '')], 'does not name: assets/x.png', []],
  [
    'with two files of one key',
    [flowEntry({ assets: [LOGO, LOGO] }), entry('assets/logo.png', '')],
    'Two files have the same asset_key',
    [],
  ],
  ['without a named file', [flowEntry({ assets: [LOGO] })], 'A file is missing', ['/assets/0']],
  [
    'with a file outside assets/',
    [flowEntry({ assets: [{ ...LOGO, file: 'logo.png' }] }), entry('logo.png', '')],
    'A file is missing',
    ['/assets/0'],
  ],
])('an archive %s is refused', (_what, archive, reason, paths) => {
  const result = read(...archive)
  if (result.ok) throw new Error('the archive was read')
  expect(result.refusal.reason).toContain(reason)
  expect(result.refusal.details.map(({ path }) => path)).toEqual(paths)
})

test('the longest name is taken', () => {
  expect(read(flowEntry({ name: 'n'.repeat(200) })).ok).toBe(true)
})

test('flow.json may have 4 MiB and no byte more', () => {
  const { bytes } = flowEntry()
  const filled = (length: number) => ({
    name: 'flow.json',
    bytes: Buffer.concat([bytes], length).fill(' ', bytes.length),
  })
  expect(read(filled(4 * MEBIBYTE)).ok).toBe(true)
  expect(read(filled(4 * MEBIBYTE + 1))).toEqual({
    ok: false,
    refusal: { reason: 'flow.json has more than 4 MiB', details: [] },
  })
})
