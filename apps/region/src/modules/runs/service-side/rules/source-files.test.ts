import type { UserId } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import type { SourceFile } from '../model.ts'
import { matchSources, readGivenSources } from './source-files.ts'

const [ana, ben] = ['ana' as UserId, 'ben' as UserId]
const staged = (id: string, sourceUserId: UserId): SourceFile => ({ id, sourceUserId }) as unknown as SourceFile
const need = { sourceKey: 'cv', forUserId: ben, sourceUserId: ana }
const given = { sourceKey: 'cv', forUserId: 'ben', file: 'handle' }
const files = new Map([['handle', staged('file', ana)]])

test('absent sources are none', () => {
  expect([undefined, null].map(readGivenSources)).toEqual([[], []])
})

test('sources are read', () => {
  expect(readGivenSources([{ source_key: 'cv', for_user_id: 'ben', file: 'handle' }])).toEqual([given])
})

test.each([
  ['an object', {}],
  ['an empty member', [null]],
  ['a member without a key', [{ for_user_id: 'ben', file: 'handle' }]],
  ['a member without a user', [{ source_key: 'cv', file: 'handle' }]],
  ['a member without a file', [{ source_key: 'cv', for_user_id: 'ben' }]],
  ['a number as the key', [{ source_key: 1, for_user_id: 'ben', file: 'handle' }]],
  ['a number as the user', [{ source_key: 'cv', for_user_id: 1, file: 'handle' }]],
  ['a number as the file', [{ source_key: 'cv', for_user_id: 'ben', file: 1 }]],
  ['one wrong member among others', [{ source_key: 'cv', for_user_id: 'ben', file: 'handle' }, 7]],
])('%s is no list of sources', (_what, value) => {
  expect(readGivenSources(value)).toBeNull()
})

test('a staged copy for each that is needed is found', () => {
  expect(matchSources([need], [given], files)).toEqual({ ok: true, value: [{ ...need, file: files.get('handle') }] })
  expect(matchSources([], [], files)).toEqual({ ok: true, value: [] })
})

const MISSING = [{ source_key: 'cv', for_user_id: 'ben', source_user_id: 'ana' }]

test.each([
  ['nothing', [], files, MISSING, []],
  ['a copy of another key', [{ ...given, sourceKey: 'id' }], files, MISSING, ['handle']],
  ['a copy for another user', [{ ...given, forUserId: 'ana' }], files, MISSING, ['handle']],
  ['a file that was not staged', [given], new Map<string, SourceFile>(), MISSING, ['handle']],
  ['a file of another user', [given], new Map([['handle', staged('file', ben)]]), MISSING, ['handle']],
  ['the same copy twice', [given, given], files, [], ['handle']],
])('%s does not match what is needed', (_what, all, store, missing, unexpected) => {
  expect(matchSources([need], all, store)).toEqual({ ok: false, refusal: { missing, unexpected } })
})

test('one staged file serves one need', () => {
  const both = [need, { ...need, sourceKey: 'id' }]
  const result = matchSources(both, [given, { ...given, sourceKey: 'id' }], files)
  expect(result).toEqual({
    ok: false,
    refusal: { missing: [{ ...MISSING[0], source_key: 'id' }], unexpected: ['handle'] },
  })
})
