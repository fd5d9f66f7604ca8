import type { Output, OutputRule, Signer, SourceConnection } from './definition.ts'
import { DEFINITION_LIMITS as LIMITS } from './limits.ts'
import { pointer, type JsonPointer } from './pointer.ts'
import {
  isAbsent,
  listAt,
  member,
  present,
  readAny,
  readKey,
  readList,
  readMembers,
  readText,
  readTextOr,
  textAt,
  type Members,
  type Notes,
} from './reading.ts'

export function readOutput(notes: Notes, value: unknown, at: JsonPointer): Output {
  const from = readMembers(notes, value, at)
  return present({
    output_key: readKey(from, 'output_key'),
    name: readText(from, 'name', LIMITS.labelCharacters),
    cancellable: readAny(from, 'cancellable'),
    rules: readList(from, 'rules', LIMITS.rulesPerOutput, readRule),
  })
}

function readRule(notes: Notes, value: unknown, at: JsonPointer): OutputRule {
  const from = readMembers(notes, value, at)
  const signers = readList(from, 'signers', LIMITS.signersPerRule, readSigner)
  return present({
    asset_key: readTextOr(from, 'asset_key', LIMITS.nameCharacters, undefined),
    source_field: readTextOr(from, 'source_field', LIMITS.nameCharacters, undefined),
    source_connection: readConnection(from),
    condition: readAny(from, 'condition') ?? null,
    languages: readLanguages(from),
    signers: isAbsent(member(from, 'signers')) ? undefined : signers,
  })
}

function readConnection(from: Members): SourceConnection | undefined {
  const value = member(from, 'source_connection')
  if (isAbsent(value)) return undefined
  const source = readMembers(from.notes, value, pointer(from.at, 'source_connection'))
  return {
    party: readText(source, 'party', LIMITS.nameCharacters),
    request_slug: readText(source, 'request_slug', LIMITS.nameCharacters),
  }
}

function readLanguages(from: Members): OutputRule['languages'] {
  const value = member(from, 'languages')
  if (isAbsent(value) || value === 'all') return 'all'
  return listAt(from.notes, value, pointer(from.at, 'languages'), LIMITS.languagesPerRule, readLanguage)
}

function readLanguage(notes: Notes, value: unknown, at: JsonPointer): string {
  return textAt(notes, value, at, LIMITS.nameCharacters)
}

function readSigner(notes: Notes, value: unknown, at: JsonPointer): Signer {
  const from = readMembers(notes, value, at)
  return {
    party: readText(from, 'party', LIMITS.nameCharacters),
    action: readText(from, 'action', LIMITS.nameCharacters),
  }
}
