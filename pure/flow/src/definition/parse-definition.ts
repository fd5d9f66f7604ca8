import { accept, decline, type Result } from '@sealpost/kernel'
import type { Definition, Edge, FlowConstant, FlowNode, Party } from './definition.ts'
import { DEFINITION_LIMITS as LIMITS } from './limits.ts'
import { readElement } from './parse-element.ts'
import { readOutput } from './parse-output.ts'
import { pointer, type JsonPointer } from './pointer.ts'
import {
  isAbsent,
  listAt,
  member,
  note,
  present,
  readAny,
  readKey,
  readList,
  readMembers,
  readNumberOr,
  readOneOf,
  readOneOfOr,
  readText,
  readTextOr,
  textAt,
  type DefinitionProblem,
  type Members,
  type Notes,
} from './reading.ts'

/**
 * Reads the shape of a definition; `checkForPublish` checks its meaning. Only faults that no draft may have are refused
 * here: members of a wrong type, lists and texts above the limits, and keys that could not be told apart.
 */
export function parseDefinition(input: unknown): Result<Definition, readonly DefinitionProblem[]> {
  const notes: Notes = { problems: [] }
  const definition = readDefinition(notes, input)
  return notes.problems.length === 0 ? accept(definition) : decline(notes.problems)
}

function readDefinition(notes: Notes, input: unknown): Definition {
  const from = readMembers(notes, input, '')
  const definition: Definition = {
    entry: readText(from, 'entry', LIMITS.nameCharacters),
    output_mode: readOneOf(from, 'output_mode', ['data_only', 'document']),
    parties: readRequiredList(from, 'parties', LIMITS.parties, readParty),
    nodes: readRequiredList(from, 'nodes', LIMITS.nodes, readNode),
    edges: readList(from, 'edges', LIMITS.edges, readEdge),
    constants: readList(from, 'constants', LIMITS.constants, readConstant),
  }
  noteTwins(notes, definition)
  noteTooManyElements(notes, definition)
  return definition
}

function readRequiredList<T>(
  from: Members,
  name: string,
  limit: number,
  read: (notes: Notes, value: unknown, at: JsonPointer) => T,
): readonly T[] {
  return listAt(from.notes, member(from, name), pointer(from.at, name), limit, read)
}

function readParty(notes: Notes, value: unknown, at: JsonPointer): Party {
  const from = readMembers(notes, value, at)
  const key = readText(from, 'key', LIMITS.nameCharacters)
  return present({
    key,
    label: readTextOr(from, 'label', LIMITS.labelCharacters, key),
    type: readOneOfOr(from, 'type', ['owner', 'person', 'company'], undefined),
  })
}

function readNode(notes: Notes, value: unknown, at: JsonPointer): FlowNode {
  const from = readMembers(notes, value, at)
  const outputs = readList(from, 'outputs', LIMITS.outputsPerLeaf, readOutput)
  noteTwinOutputs(notes, at, outputs)
  return present({
    key: readKey(from, 'key'),
    party: readText(from, 'party', LIMITS.nameCharacters),
    title: readTextOr(from, 'title', LIMITS.labelCharacters, ''),
    elements: readList(from, 'elements', LIMITS.elementsPerNode, readElement),
    language_party: readTextOr(from, 'language_party', LIMITS.nameCharacters, undefined),
    outputs: isAbsent(member(from, 'outputs')) ? undefined : outputs,
  })
}

function readEdge(notes: Notes, value: unknown, at: JsonPointer): Edge {
  const from = readMembers(notes, value, at)
  return {
    from: readText(from, 'from', LIMITS.nameCharacters),
    to: readText(from, 'to', LIMITS.nameCharacters),
    sort: readNumberOr(from, 'sort', 0),
    condition: readAny(from, 'condition') ?? null,
  }
}

function readConstant(notes: Notes, value: unknown, at: JsonPointer): FlowConstant {
  const from = readMembers(notes, value, at)
  return {
    key: readText(from, 'key', LIMITS.nameCharacters),
    label: readTextOr(from, 'label', LIMITS.labelCharacters, ''),
    result_type: readText(from, 'result_type', LIMITS.nameCharacters),
    expr: readAny(from, 'expr') ?? null,
    shown_on: readList(from, 'shown_on', LIMITS.nodes, readName),
  }
}

function readName(notes: Notes, value: unknown, at: JsonPointer): string {
  return textAt(notes, value, at, LIMITS.nameCharacters)
}

// A run at one of two nodes or outputs with the same key could not tell them apart, so no draft may hold them.
// Duplicate slugs and constants only affect values: publishing finds those.
function noteTwins(notes: Notes, definition: Definition): void {
  const seen = new Set<string>()
  for (const [place, node] of definition.nodes.entries()) {
    if (seen.has(node.key)) note(notes, pointer('/nodes', place, 'key'), `${node.key} is also the key of another step`)
    seen.add(node.key)
  }
}

function noteTwinOutputs(notes: Notes, at: JsonPointer, outputs: FlowNode['outputs'] & {}): void {
  const seen = new Set<string>()
  for (const [place, { output_key }] of outputs.entries()) {
    const path = pointer(at, 'outputs', place, 'output_key')
    if (seen.has(output_key)) note(notes, path, `${output_key} is also the key of another output of this step`)
    seen.add(output_key)
  }
}

function noteTooManyElements(notes: Notes, { nodes }: Definition): void {
  const count = nodes.reduce((sum, node) => sum + node.elements.length, 0)
  if (count > LIMITS.elements) note(notes, '/nodes', `must have at most ${LIMITS.elements} elements together`)
}
