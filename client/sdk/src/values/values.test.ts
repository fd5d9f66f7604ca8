import { constants, createCipheriv, createHash, generateKeyPairSync, publicEncrypt, randomBytes } from 'node:crypto'
import { seedRows } from '@sealpost/field-types'
import { expect, test } from 'vitest'
import { newServiceKey, startStubService } from '../../test/stub-service.ts'
import { AccountKey, SealingError } from '../index.ts'

const NOW = new Date('2026-05-01T12:00:00Z')
const rows = [
  ...seedRows,
  {
    type: 'diet',
    parent: 'multiselect',
    label: 'Diet',
    options: ['vegan', 'halal'],
    is_system: false,
  },
]
const registry = { status: 200, json: rows }
const fields = (types: Readonly<Record<string, string>>) =>
  Object.entries(types).map(([slug, type]) => ({ slug, type }))

test('each value is decrypted and has the form of its type; an unknown type is text', async () => {
  const { key, seal } = await newServiceKey()
  await using service = await startStubService(() => registry)
  const plain = {
    mail: 'ana@example.com',
    home: '{"street":"Calle Mayor","city":"Madrid","country":"ES"}',
    age: ' 42 ',
    price: '12.50',
    diet: '["vegan"]',
    huge: '90071992547409930',
    odd: '{"anything":1}',
  }
  const types = {
    mail: 'email',
    home: 'address',
    age: 'integer',
    price: 'decimal',
    diet: 'diet',
    huge: 'integer',
    odd: 'a_type_of_next_year',
  }
  const sealed = await Promise.all(
    Object.entries(plain).map(async ([slug, text]) => [slug, { value: await seal(text), live: true }] as const),
  )
  const opened = await service.client.values.decrypt(
    { id: 'c-1', values: Object.fromEntries(sealed), fields: fields(types) },
    key,
  )

  expect(opened['mail']).toMatchObject({ kind: 'text', value: 'ana@example.com', type: 'email', problems: [] })
  expect(opened['home']).toMatchObject({
    kind: 'parts',
    value: { street: 'Calle Mayor', city: 'Madrid', country: 'ES' },
    text: plain.home,
  })
  expect(opened['age']).toMatchObject({ kind: 'number', value: 42, text: ' 42 ' })
  expect(opened['price']).toMatchObject({ kind: 'number', value: 12.5 })
  expect(opened['diet']).toMatchObject({ kind: 'choices', value: ['vegan'] })
  expect(opened['huge']).toMatchObject({ kind: 'text', value: '90071992547409930' })
  expect(opened['odd']).toMatchObject({ kind: 'text', value: '{"anything":1}', problems: [] })
})

test('a text that does not fit its type stays text with its problems; a file is not downloaded', async () => {
  const { key, seal } = await newServiceKey()
  await using service = await startStubService(() => registry)
  const values = {
    home: { value: await seal('[1,2]'), live: true, updated_at: '2026-05-01T09:30:00.000+00:00' },
    age: { value: await seal('many'), live: false },
    photo: { value_url: '/api/x', content_sha256: 'ab', live: true },
    once: { expired: true, expired_at: '2026-05-01T09:30:00.000+00:00', value_url: '/api/y', live: false },
  }
  const types = { home: 'address', age: 'integer', photo: 'photo', once: 'document' }
  const opened = await service.client.values.decrypt({ id: 'c-1', values, fields: fields(types) }, key)

  expect(opened['home']).toMatchObject({ kind: 'text', value: '[1,2]', problems: [{ reason: 'not_an_object' }] })
  expect(opened['home']?.updatedAt).toBe('2026-05-01T09:30:00.000+00:00')
  expect(opened['age']).toMatchObject({ kind: 'text', live: false, problems: [{ reason: 'not_an_integer' }] })
  expect(opened['photo']).toMatchObject({ kind: 'file', valueUrl: '/api/x', sha256: 'ab' })
  expect(opened['once']).toMatchObject({ kind: 'file', valueUrl: null })
})

test('a value that cannot be opened does not affect the others', async () => {
  const { key, seal } = await newServiceKey()
  const other = await newServiceKey()
  await using service = await startStubService(() => registry)
  const values = {
    mine: { value: await seal('readable') },
    theirs: { value: await other.seal('for another service') },
    plain: { value: 'not sealed at all' },
  }
  const types = fields({ mine: 'text', theirs: 'text', plain: 'text' })
  const opened = await service.client.values.decrypt({ id: 'c-1', values, fields: types }, key)

  expect(opened['mine']).toMatchObject({ kind: 'text', value: 'readable' })
  expect(opened['theirs']).toMatchObject({ kind: 'unreadable', refusal: 'wrong_key' })
  expect(opened['plain']).toMatchObject({ kind: 'unreadable', refusal: 'not_a_wrapper' })
  const single = service.client.values.decryptValue(values.theirs, 'text', key)
  await expect(single).rejects.toBeInstanceOf(SealingError)
})

test('a value sealed with OAEP and SHA-1 is refused, although the key is right [SDK-04]', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = await AccountKey.fromPkcs8(privateKey.export({ format: 'der', type: 'pkcs8' }))
  const wrap = (oaepHash: string): string => {
    const [dataKey, iv] = [randomBytes(32), randomBytes(12)]
    const cipher = createCipheriv('aes-256-gcm', dataKey, iv)
    const sealed = Buffer.concat([cipher.update('a value'), cipher.final(), cipher.getAuthTag()])
    const padding = constants.RSA_PKCS1_OAEP_PADDING
    const k = publicEncrypt({ key: publicKey, padding, oaepHash }, dataKey)
    return JSON.stringify({
      _enc: 1,
      k: k.toString('base64'),
      iv: iv.toString('base64'),
      d: sealed.toString('base64'),
    })
  }

  expect(await key.open(wrap('sha256'))).toBe('a value')
  await expect(key.open(wrap('sha1'))).rejects.toMatchObject({ refusal: 'wrong_key' })
})

test('a value is attested only if the hash of salt and exact text matches; otherwise it is not_attested, never wrong [SDK-05]', async () => {
  const { key, seal } = await newServiceKey()
  await using service = await startStubService(() => registry, { clock: { now: () => NOW.getTime() } })
  const { values } = service.client
  const salt = '0123456789abcdef0123456789abcdef'
  const text = '{"city":"Madrid"}'
  const attestation = {
    verified_salt: salt,
    verified_hash: createHash('sha256')
      .update(salt + text)
      .digest('hex'),
    verified_expires_at: '2026-06-01T00:00:00.000+00:00',
  }

  expect(await values.verify(attestation, text)).toBe('attested')
  expect(await values.verify(attestation, '{"city": "Madrid"}')).toBe('not_attested')
  expect(await values.verify({ ...attestation, verified_hash: null }, text)).toBe('not_attested')
  expect(await values.verify({}, text)).toBe('not_attested')
  expect(await values.verify({ ...attestation, verified_expires_at: 'some day' }, text)).toBe('not_attested')
  expect(await values.verify(attestation, text, new Date('2026-06-01T00:00:00Z'))).toBe('not_attested')
  const opened = await values.decryptValue({ value: await seal(text), ...attestation }, 'address', key)
  expect(opened).toMatchObject({ attestation: 'attested', value: { city: 'Madrid' } })
  const other = await values.decryptValue({ value: await seal('{"city":"Toledo"}'), ...attestation }, 'address', key)
  expect(other).toMatchObject({ attestation: 'not_attested', problems: [], value: { city: 'Toledo' } })
  await expect(values.decryptValue({ value: null }, 'address', key)).rejects.toThrow('there is no value')
  await expect(values.decryptValue({ value_url: '/api/x' }, 'photo', key)).rejects.toThrow('this value is a file')
})
