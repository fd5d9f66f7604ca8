import { accept, decline, type KeyRollover, nearest, PLUGIN_LIMITS as LIMITS, type Result } from '@sealpost/kernel'
import {
  type Block,
  BLOCK_KINDS,
  type FieldType,
  type Input,
  type Manifest,
  type Output,
  PLUGIN_KEY,
  VALUE_TYPES,
} from './manifest.ts'
import { below, memberOf, type Problem, type Problems, readList, readObject, readText, typeName } from './reading.ts'

/** Reads a description; a refusal lists all problems. The public key is checked by who can decode it. */
export function parseManifest(
  value: unknown,
  isPublicKey: (text: string) => boolean,
): Result<Manifest, readonly Problem[]> {
  const problems: Problems = []
  const from = readObject(problems, value, '')
  const name = readText(problems, memberOf(from, 'name'), 'name', LIMITS.nameCharacters)
  const publicKey = readPublicKey(problems, memberOf(from, 'public_key'), isPublicKey)
  const rollovers = readRollovers(problems, memberOf(from, 'key_rollovers'))
  const types = memberOf(from, 'field_types')
  const fieldTypes = readList(problems, types, 'field_types', LIMITS.fieldTypes, readFieldType)
  if (Array.isArray(types) && types.length === 0)
    problems.push({ path: 'field_types', problem: 'must have at least one entry' })
  refuseRepeated(problems, 'field_types', fieldTypes)
  if (problems.length > 0) return decline(problems)
  const vouched = rollovers.length === 0 ? {} : { key_rollovers: rollovers }
  return accept({ name, public_key: publicKey, ...vouched, field_types: fieldTypes })
}

/** Reads one field type, as a definition in code gives it. */
export function parseFieldType(value: unknown): Result<FieldType, readonly Problem[]> {
  const problems: Problems = []
  const fieldType = readFieldType(problems, value, '')
  return problems.length === 0 ? accept(fieldType) : decline(problems)
}

function readPublicKey(problems: Problems, value: unknown, isPublicKey: (text: string) => boolean): string {
  if (typeof value === 'string' && isPublicKey(value)) return value
  const problem =
    typeof value === 'string'
      ? 'must be the base64 of a DER SubjectPublicKeyInfo, RSA with 2048 bits and exponent 65537; no PEM lines'
      : `must be a text, not ${typeName(value)}`
  problems.push({ path: 'public_key', problem })
  return ''
}

/** Their form; clients verify the signatures. */
function readRollovers(problems: Problems, value: unknown): readonly KeyRollover[] {
  if (value === undefined) return []
  return readList(problems, value, 'key_rollovers', LIMITS.keyRollovers, (notes, item, path) => {
    const from = readObject(notes, item, path)
    const text = (name: string): string => readText(notes, memberOf(from, name), below(path, name), KEY_CHARACTERS)
    const previous = text('previous_sha256')
    if (previous !== '' && !FINGERPRINT.test(previous))
      notes.push({ path: below(path, 'previous_sha256'), problem: 'must be 64 lower-case hex digits' })
    return { previous_sha256: previous, public_key: text('public_key'), signature: text('signature') }
  })
}

const KEY_CHARACTERS = 1_200
const FINGERPRINT = /^[0-9a-f]{64}$/

function readFieldType(problems: Problems, value: unknown, path: string): FieldType {
  const from = readObject(problems, value, path)
  const list = <T>(name: string, read: (problems: Problems, value: unknown, path: string) => T): readonly T[] =>
    readList(problems, memberOf(from, name), below(path, name), LIMITS.members, read)
  const fieldType = {
    key: readKey(problems, memberOf(from, 'key'), below(path, 'key')),
    label: readText(problems, memberOf(from, 'label'), below(path, 'label'), LIMITS.labelCharacters),
    blocks: list('blocks', readBlock),
    inputs: list('inputs', readInput),
    outputs: list('outputs', readOutput),
  }
  checkFieldType(problems, fieldType, path)
  return fieldType
}

function checkFieldType(problems: Problems, { blocks, inputs, outputs }: FieldType, path: string): void {
  for (const [name, members] of Object.entries({ blocks, inputs, outputs }))
    refuseRepeated(problems, below(path, name), members)
  const shared = outputs.filter(({ key }) => blocks.some((block) => block.key === key && key !== ''))
  for (const { key } of shared) {
    problems.push({ path: below(path, 'outputs'), problem: `"${key}" is also the key of a block; rename one of them` })
  }
  for (const [at, { key, depends_on: needed = [] }] of blocks.entries()) {
    const earlier = blocks.slice(0, at).map((block) => block.key)
    const place = below(below(below(path, 'blocks'), at), 'depends_on')
    for (const name of needed.filter((one) => !earlier.includes(one))) {
      problems.push({ path: place, problem: notEarlier(name, key, earlier) })
    }
  }
}

function notEarlier(name: string, key: string, earlier: readonly string[]): string {
  if (name === key) return 'must not name its own block'
  const meant = nearest(name, earlier)
  return `names "${name}", which is no earlier block${meant === null ? '' : `; did you mean "${meant}"?`}`
}

function readBlock(problems: Problems, value: unknown, path: string): Block {
  const from = readObject(problems, value, path)
  const needed = readDependsOn(problems, memberOf(from, 'depends_on'), below(path, 'depends_on'))
  return {
    key: readKey(problems, memberOf(from, 'key'), below(path, 'key')),
    kind: readOneOf(problems, memberOf(from, 'kind'), below(path, 'kind'), BLOCK_KINDS),
    label: readText(problems, memberOf(from, 'label'), below(path, 'label'), LIMITS.labelCharacters),
    ...(needed.length === 0 ? {} : { depends_on: needed }),
  }
}

function readDependsOn(problems: Problems, value: unknown, path: string): readonly string[] {
  if (value === undefined) return []
  return readList(problems, value, path, LIMITS.members, (notes, item, at) => readText(notes, item, at, 40))
}

function readInput(problems: Problems, value: unknown, path: string): Input {
  const from = readObject(problems, value, path)
  const required = memberOf(from, 'required')
  if (typeof required !== 'boolean') {
    problems.push({ path: below(path, 'required'), problem: `must be true or false, not ${typeName(required)}` })
  }
  return {
    key: readKey(problems, memberOf(from, 'key'), below(path, 'key')),
    type: readOneOf(problems, memberOf(from, 'type'), below(path, 'type'), VALUE_TYPES),
    label: readText(problems, memberOf(from, 'label'), below(path, 'label'), LIMITS.labelCharacters),
    required: required === true,
  }
}

function readOutput(problems: Problems, value: unknown, path: string): Output {
  const from = readObject(problems, value, path)
  return {
    key: readKey(problems, memberOf(from, 'key'), below(path, 'key')),
    type: readOneOf(problems, memberOf(from, 'type'), below(path, 'type'), VALUE_TYPES),
    label: readText(problems, memberOf(from, 'label'), below(path, 'label'), LIMITS.labelCharacters),
  }
}

/** `slug.<block>.id` names a pick, so nothing else is called `id`. */
function readKey(problems: Problems, value: unknown, path: string): string {
  if (value === 'id') {
    problems.push({ path, problem: 'must not be "id", which names the id of a pick' })
    return ''
  }
  if (typeof value === 'string' && PLUGIN_KEY.test(value)) return value
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : typeName(value)
  const rule = 'must begin with a-z and go on with a-z, 0-9 and _, at most 40 characters'
  problems.push({ path, problem: `${rule}, not ${shown}` })
  return ''
}

function readOneOf<const Choice extends string>(
  problems: Problems,
  value: unknown,
  path: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const choice = choices.find((one) => one === value)
  if (choice === undefined) {
    const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : typeName(value)
    problems.push({ path, problem: `must be one of ${choices.join(', ')}, not ${shown}` })
  }
  return choice ?? choices[0]
}

function refuseRepeated(problems: Problems, path: string, members: readonly { readonly key: string }[]): void {
  const keys = members.map(({ key }) => key).filter((key) => key !== '')
  const repeated = new Set(keys.filter((key, at) => keys.indexOf(key) !== at))
  for (const key of repeated) problems.push({ path, problem: `has "${key}" twice` })
}
