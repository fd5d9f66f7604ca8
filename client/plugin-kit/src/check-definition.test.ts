import { expect, test } from 'vitest'
import { car, testKey } from '../test/car-plugin.ts'
import { type AnyFieldType, DefinitionError, openPlugin, type PluginOptions } from './index.ts'

const key = await testKey()

async function problemsOf(options: Partial<PluginOptions>): Promise<readonly string[]> {
  const opened = openPlugin({ name: 'Cars', key, fieldTypes: [car], ...options })
  const error: unknown = await opened.catch((refusal: unknown) => refusal)
  return error instanceof DefinitionError ? error.problems : []
}

/** As JavaScript without types may have it. */
const loose = (definition: object): AnyFieldType => ({ ...car, ...definition })
const withBlocks = (blocks: object): AnyFieldType => loose({ blocks })
const brand = car.blocks.brand

test.each<[string, Partial<PluginOptions>, string]>([
  ['an empty name', { name: ' ' }, 'name must be a text of 1 to 200 characters'],
  ['no field types', { fieldTypes: [] }, 'fieldTypes must be a list with at least one field type'],
  ['a key twice', { fieldTypes: [car, car] }, 'fieldTypes has "car" twice'],
  ['a bad key', { fieldTypes: [loose({ key: 'Car' })] }, 'field type "Car": key must begin with a-z'],
  ['no label', { fieldTypes: [loose({ label: undefined })] }, 'label must be a text, not absent'],
  ['no blocks', { fieldTypes: [withBlocks({})] }, 'blocks must have at least one block'],
  ['a block called id', { fieldTypes: [withBlocks({ id: brand })] }, 'blocks.id.key must not be "id"'],
  [
    'an unknown kind',
    { fieldTypes: [withBlocks({ brand: { ...brand, kind: 'select' } })] },
    'blocks.brand.kind must be one of search_select, text, number, date, not "select"',
  ],
  [
    'an unknown dependency',
    { fieldTypes: [withBlocks({ brand, model: { ...brand, dependsOn: ['brnd'] } })] },
    'blocks.model.dependsOn names "brnd", which is no earlier block; did you mean "brand"?',
  ],
  [
    'a dependency on a later block',
    { fieldTypes: [withBlocks({ model: { ...brand, dependsOn: ['brand'] }, brand })] },
    'blocks.model.dependsOn names "brand", which is no earlier block',
  ],
  [
    'a search without has',
    { fieldTypes: [withBlocks({ brand: { kind: 'search_select', label: 'B', search: () => [] } })] },
    'blocks.brand has search and no has',
  ],
  ['no options', { fieldTypes: [withBlocks({ brand: { kind: 'search_select', label: 'B' } })] }, 'must have options'],
  [
    'options of a typed block',
    { fieldTypes: [withBlocks({ note: { kind: 'text', label: 'N', options: [] } })] },
    'blocks.note is a text block and has no options',
  ],
  [
    'an output with the key of a block',
    { fieldTypes: [loose({ outputs: { brand: { type: 'text', label: 'B' } } })] },
    'outputs "brand" is also the key of a block',
  ],
  [
    'an unknown type of an input',
    { fieldTypes: [loose({ inputs: { budget: { type: 'money', label: 'B' } } })] },
    'inputs.budget.type must be one of number, date, boolean, text, not "money"',
  ],
  ['no compute', { fieldTypes: [loose({ compute: undefined })] }, 'compute must be a function'],
  ['an empty token', { token: '' }, 'token must be 1 to 4096 visible ASCII characters'],
  ['a token with a space', { token: 'a b' }, 'token must be 1 to 4096 visible ASCII characters'],
  ['a time that the forwarder does not wait', { timeoutMs: 3_000 }, 'timeoutMs must be a whole number below 3000'],
  ['no key', { key: '' }, 'it is empty'],
  ['an older form of a key', { key: '-----BEGIN RSA PRIVATE KEY-----' }, 'openssl pkcs8 -topk8'],
  ['a key with a passphrase', { key: '-----BEGIN ENCRYPTED PRIVATE KEY-----' }, 'has a passphrase'],
])('%s is refused at the start', async (_, options, problem) => {
  expect(await problemsOf(options)).toContainEqual(expect.stringContaining(problem))
})

test('all problems are listed at once, and no message contains the key', async () => {
  const broken = key.replace('MII', 'XXX')
  const error: unknown = await openPlugin({
    name: '',
    key: broken,
    fieldTypes: [loose({ key: '?', label: '' })],
  }).catch((refusal: unknown) => refusal)
  expect(error).toMatchObject({ problems: { length: 3 } })
  const [wrongKey = ''] = await problemsOf({ key: broken })
  expect(wrongKey).toContain('key must be an RSA private key')
  expect(wrongKey).not.toContain(broken.slice(30, 60))
})
