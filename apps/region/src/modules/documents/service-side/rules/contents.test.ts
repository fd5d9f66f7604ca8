import { describe, expect, test } from 'vitest'
import { readBroadcastFile } from './broadcast-file.ts'
import { type GivenDocument, JSON_MAX_BYTES, SEALED_JSON_MAX, validateNew, validateSealedFile } from './new-document.ts'

const wrapper = {
  _enc: 1,
  k: Buffer.alloc(256).toString('base64'),
  iv: Buffer.alloc(12).toString('base64'),
  d: Buffer.alloc(32).toString('base64'),
}
const WRAPPER = JSON.stringify(wrapper)

describe('a new document', () => {
  const json: GivenDocument = { name: 'Invoice', payload_kind: 'json', value: { total: 3 } }
  const sealed: GivenDocument = { ...json, value: WRAPPER }
  const file: GivenDocument = { name: 'Contract', payload_kind: 'file' }
  const refused = (key: string) => ({ ok: false, refusal: { key } })

  test('is a plain document unless stated, and has a trimmed name', () => {
    expect(validateNew({ ...json, name: '  Invoice ' }, false)).toEqual({
      ok: true,
      value: {
        name: 'Invoice',
        description: null,
        kind: 'document',
        payloadKind: 'json',
        isPrivate: false,
        requiresSignature: false,
        requiresAcceptance: false,
        metadata: { can_be_cancelled_in_app: false },
        value: '{"total":3}',
        plainSha256: null,
      },
    })
    expect(validateNew({ ...json, name: ' \t' }, false)).toMatchObject({
      ok: false,
      refusal: { key: 'request.invalid', problem: { path: '/body/name' } },
    })
  })

  test('keeps what is stated', () => {
    const stated = {
      kind: 'subscription',
      is_private: true,
      requires_signature: true,
      requires_acceptance: true,
    } as const
    expect(validateNew({ ...sealed, ...stated, description: 'of May' }, true)).toMatchObject({
      ok: true,
      value: {
        kind: 'subscription',
        isPrivate: true,
        requiresSignature: true,
        requiresAcceptance: true,
        description: 'of May',
        metadata: { can_be_cancelled_in_app: true },
      },
    })
  })

  test.each([
    [{ kind: 'subscription' }, 'documents.contract_requires_person'],
    [{ requires_signature: true }, 'documents.contract_requires_person'],
    [{ requires_acceptance: true }, 'documents.contract_requires_person'],
    [{ is_private: true }, 'documents.private_requires_person'],
  ] as const)('is not %j unless it is for one customer', (terms, key) => {
    expect(validateNew({ ...json, ...terms }, false)).toEqual(refused(key))
    expect(validateNew({ ...sealed, ...terms }, true)).toMatchObject({ ok: true })
  })

  test('says which member of the metadata is wrong', () => {
    expect(validateNew({ ...json, metadata: { price: 3 } }, false)).toMatchObject({
      refusal: { key: 'request.invalid', problem: { path: '/body/metadata/price' } },
    })
  })

  test('for one customer is sealed; an object is written in one layout', () => {
    const { d, iv, k, _enc } = wrapper
    expect(validateNew({ ...json, value: { d, iv, k, _enc } }, true)).toMatchObject({ value: { value: WRAPPER } })
    for (const value of [{ total: 3 }, 'plain', 7, null, []])
      expect(validateNew({ ...json, value }, true)).toEqual(refused('contact_data.encryption_required'))
  })

  test('of JSON has a value; a file follows later and has none', () => {
    const { value: _, ...without } = json
    expect(validateNew(without, false)).toEqual(refused('documents.invalid_payload'))
    expect(validateNew(without, true)).toEqual(refused('documents.invalid_payload'))
    expect(validateNew({ ...file, value: null, plain_sha256: 'ab' }, true)).toMatchObject({
      value: { value: null, plainSha256: 'ab' },
    })
    expect(validateNew(file, true)).toMatchObject({ value: { value: null, plainSha256: null } })
    expect(validateNew({ ...file, value: WRAPPER }, true)).toEqual(refused('documents.invalid_payload'))
    expect(validateNew({ ...sealed, plain_sha256: 'ab' }, true)).toMatchObject({ value: { plainSha256: null } })
  })

  test('has at most 256 KiB, counted in bytes', () => {
    const ofBytes = (bytes: number) => validateNew({ ...json, value: `é${'x'.repeat(bytes - 4)}` }, false)
    expect(ofBytes(JSON_MAX_BYTES)).toMatchObject({ ok: true })
    expect(ofBytes(JSON_MAX_BYTES + 1)).toEqual(refused('documents.too_large'))
    expect(validateNew({ ...json, value: 'x'.repeat(SEALED_JSON_MAX + 1) }, true)).toEqual(
      refused('documents.too_large'),
    )
  })

  test('a sealed file is a text within its limit', () => {
    expect(validateSealedFile(WRAPPER, WRAPPER.length)).toEqual({ ok: true, value: WRAPPER })
    expect(validateSealedFile(WRAPPER, WRAPPER.length - 1)).toEqual(refused('documents.too_large'))
    expect(validateSealedFile(wrapper, 10_000)).toEqual(refused('contact_data.encryption_required'))
  })
})

describe('the file of a broadcast', () => {
  const OLE = 'd0cf11e0a1b11ae1'
  const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  const uri = (mimeType: string, hex: string) => `data:${mimeType};base64,${Buffer.from(hex, 'hex').toString('base64')}`
  const types = [
    ['pdf', 'application/pdf', '255044462d312e37'],
    ['doc', 'application/msword', `${OLE}00`],
    ['docx', WORD, '504b030414'],
    ['xls', 'application/vnd.ms-excel', `${OLE}00`],
    ['xlsx', SHEET, '504b030414'],
    ['png', 'image/png', '89504e470d0a1a0a00'],
    ['jpg', 'image/jpeg', 'ffd8ffe0'],
    ['jpeg', 'image/jpeg', 'ffd8ffe0'],
  ] as const

  test.each(types)('.%s has its type and its first bytes', (extension, mimeType, hex) => {
    const originalName = `file.${extension.toUpperCase()}`
    expect(readBroadcastFile(uri(mimeType, hex), originalName, 100)).toEqual({
      ok: true,
      value: { content: Buffer.from(hex, 'hex'), originalName, mimeType },
    })
    const wrong = { ok: false, refusal: 'documents.bad_mime' }
    expect(readBroadcastFile(uri(mimeType, `00${hex}`), originalName, 100)).toEqual(wrong)
    expect(readBroadcastFile(uri('text/html', hex), originalName, 100)).toEqual(wrong)
    expect(readBroadcastFile(uri(mimeType, hex), 'file.html', 100)).toEqual(wrong)
    expect(readBroadcastFile(uri(mimeType, hex), extension, 100)).toEqual(wrong)
    expect(readBroadcastFile(uri(mimeType, hex), `${originalName}.txt`, 100)).toEqual(wrong)
  })

  test('is a data URI with content and a name', () => {
    const [[, mimeType, hex]] = types
    const invalid = { ok: false, refusal: 'documents.invalid_payload' }
    for (const file of [undefined, 7, 'text', uri(mimeType, '')])
      expect(readBroadcastFile(file, 'file.pdf', 100)).toEqual(invalid)
    expect(readBroadcastFile(uri(mimeType, hex), undefined, 100)).toEqual(invalid)
  })

  test('has at most the stated bytes', () => {
    const [[, mimeType, hex]] = types
    expect(readBroadcastFile(uri(mimeType, hex), 'file.pdf', 8)).toMatchObject({ ok: true })
    expect(readBroadcastFile(uri(mimeType, hex), 'file.pdf', 7)).toEqual({ ok: false, refusal: 'documents.too_large' })
  })
})
