import { answersFrom } from '@sealpost/expression'
import { buildRegistry, seedRows } from '@sealpost/field-types'
import {
  availableAt,
  checkAdvance,
  checkForPublish,
  chooseNext,
  chooseOutputs,
  copyStatus,
  heldSources,
  importFlow,
  lineState,
  parseDefinition,
  participants,
  runValues,
  signersOf,
  signingLine,
  describeTurn,
  turnProblems,
  type Definition,
  type PluginFact,
  type PluginFieldType,
  type PublishFacts,
  type RequestFieldFact,
  type Signer,
} from '@sealpost/flow'
import type { VectorCase } from '../vector-case.ts'
import { casesOf, mustEqual, type Named } from './reading.ts'

type Json = Readonly<Record<string, unknown>>

/** `vectors/publish.json`: every case twice, as it fails and as it is mended. */
export function publishCases(file: PublishFile): readonly VectorCase[] {
  return [
    ...casesOf<PublishRow>(file, 'cases', (row) => {
      const faulty = patched(mendedDefinition(file, row), row.fault)
      mustEqual(findings(faulty, factsOf(file, row.fault_facts)), row.issues)
    }),
    ...casesOf<PublishRow>(file, 'cases', (row) => {
      mustEqual(findings(mendedDefinition(file, row), factsOf(file, row.facts)), [])
    }).map((one) => ({ ...one, name: `${one.name}, mended` })),
  ]
}

/** A case of `vectors/publish.json`, for tests that publish its definitions. */
export interface PublishVector {
  readonly name: string
  readonly faulty: PublishedForm
  readonly mended: PublishedForm
  readonly issues: readonly unknown[]
}

export interface PublishedForm {
  readonly definition: object
  /** The tags of the templates that the flow has, by their keys. */
  readonly templates: Readonly<Record<string, readonly string[]>>
}

export function publishVectors(
  file: PublishFile & { readonly cases: readonly PublishRow[] },
): readonly PublishVector[] {
  const formOf = (definition: unknown, facts: Partial<FactsRow> = {}): PublishedForm => ({
    definition: objectOf(definition),
    templates: facts.templates ?? file.facts.templates,
  })
  return file.cases.map((row) => {
    const mended = mendedDefinition(file, row)
    return {
      name: row.name,
      faulty: formOf(patched(mended, row.fault), row.fault_facts),
      mended: formOf(mended, row.facts),
      issues: row.issues,
    }
  })
}

function objectOf(value: unknown): object {
  if (typeof value !== 'object' || value === null) throw new Error('a definition of a vector is no object')
  return value
}

/** `vectors/flow-routing.json` */
export function flowRoutingCases(file: RoutingFile): readonly VectorCase[] {
  const definitions = new Map(Object.entries(file.definitions))
  const read = (name: string): Definition => parsed(definitions.get(name))
  return [
    ...casesOf<ChoiceRow>(file, 'choices', (row) => checkChoice(read(row.definition), row)),
    ...casesOf<AdvanceRow>(file, 'advances', (row) => checkSaid(read(row.definition), row)),
    ...casesOf<AvailableRow>(file, 'available', (row) => {
      mustEqual([...availableAt(read(row.definition), row.node)].toSorted(), row.keys.toSorted())
    }),
    ...casesOf<TurnRow>(file, 'turns', (row) => checkTurn(read(row.definition), row)),
    ...casesOf<OutputsRow>(file, 'outputs', (row) => checkOutputs(read(row.definition), row)),
    ...casesOf<LineRow>(file, 'lines', checkLine),
    ...casesOf<ImportRow>(file, 'imports', checkImport),
    ...casesOf<MalformedRow>(file, 'malformed', checkMalformed),
  ]
}

export interface PublishFile {
  readonly facts: FactsRow
  readonly bases: Json
}

export interface PublishRow extends Named {
  readonly base: string
  readonly set_up?: readonly Change[]
  readonly facts?: Partial<FactsRow>
  readonly fault: readonly Change[]
  readonly fault_facts?: Partial<FactsRow>
  readonly issues: readonly unknown[]
}

export interface FactsRow {
  readonly request_fields: Readonly<Record<string, RequestFieldFact>>
  readonly plugins: Readonly<Record<string, PluginRow>>
  readonly templates: Readonly<Record<string, readonly string[]>>
}

interface PluginRow {
  readonly name: string
  readonly host: string
  readonly field_types: Readonly<Record<string, PluginFieldType>> | null
}

const seed = buildRegistry(seedRows)

function mendedDefinition(file: PublishFile, { base, set_up = [] }: PublishRow): unknown {
  return patched(file.bases[base], set_up)
}

function findings(definition: unknown, facts: PublishFacts): readonly unknown[] {
  const issues = checkForPublish(parsed(definition), facts)
  return issues.map(({ error_key, severity, path }) => ({ error_key, severity, path }))
}

function factsOf(file: PublishFile, changed: Partial<FactsRow> = {}): PublishFacts {
  const { request_fields, plugins, templates } = { ...file.facts, ...changed }
  return {
    types: seed,
    requestFields: new Map(Object.entries(request_fields)),
    plugins: new Map(Object.entries(plugins).map(([id, plugin]) => [id, pluginFact(plugin)])),
    templates: new Map(Object.entries(templates)),
  }
}

function pluginFact({ name, host, field_types }: PluginRow): PluginFact {
  return { name, host, fieldTypes: field_types === null ? null : new Map(Object.entries(field_types)) }
}

function parsed(definition: unknown): Definition {
  const result = parseDefinition(definition)
  if (!result.ok) throw new Error(`the definition cannot be read: ${JSON.stringify(result.refusal)}`)
  return result.value
}

/** An operation of RFC 6902, as far as the vectors use it. */
interface Change {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string
  readonly value?: unknown
}

function patched(document: unknown, changes: readonly Change[]): unknown {
  return changes.reduce((changed, change) => apply(changed, change.path.split('/').slice(1), change), document)
}

/** The document with one place changed; what lies beside it is not copied. */
function apply(at: unknown, [segment = '', ...rest]: readonly string[], change: Change): unknown {
  if (Array.isArray(at)) return applyInList(at, Number(segment), rest, change)
  const members = new Map(Object.entries(at ?? {}))
  if (rest.length > 0) members.set(segment, apply(members.get(segment), rest, change))
  else if (change.op === 'remove') members.delete(segment)
  else members.set(segment, change.value)
  return Object.fromEntries(members)
}

function applyInList(list: readonly unknown[], place: number, rest: readonly string[], change: Change): unknown {
  if (rest.length > 0) return list.with(place, apply(list[place], rest, change))
  if (change.op === 'replace') return list.with(place, change.value)
  return change.op === 'remove' ? list.toSpliced(place, 1) : list.toSpliced(place, 0, change.value)
}

export interface RoutingFile {
  readonly definitions: Json
}

interface RunRow extends Named {
  readonly definition: string
  readonly answers: Json
  readonly reference_date: string
}

interface ChoiceRow extends RunRow {
  readonly node: string
  readonly expect: { readonly kind: string; readonly node?: string }
}

function checkChoice(definition: Definition, { node, answers, reference_date, expect }: ChoiceRow): void {
  const chosen = chooseNext(definition, node, runValues(definition, answersFrom(answers), reference_date))
  mustEqual(chosen.kind === 'next' ? { kind: 'next', node: chosen.node } : chosen, expect)
}

interface AdvanceRow extends Named {
  readonly definition: string
  readonly node: string
  readonly said: Json
  readonly expect: unknown
}

function checkSaid(definition: Definition, { node, said, expect }: AdvanceRow): void {
  const result = checkAdvance(definition, node, said)
  mustEqual(result.ok ? result.value : { refused: result.refusal }, expect)
}

interface AvailableRow extends Named {
  readonly definition: string
  readonly node: string
  readonly keys: readonly string[]
}

interface TurnRow extends RunRow {
  readonly node: string
  readonly expect: unknown
}

function checkTurn(definition: Definition, { node, answers, reference_date, expect }: TurnRow): void {
  const turn = describeTurn(definition, node, { answers: answersFrom(answers), referenceDate: reference_date })
  if (turn === null) throw new Error(`there is no step ${node}`)
  const options = Array.from(turn.options, ([slug, open]) => [slug, open.map((option) => option.value)] as const)
  const seen = {
    allowed: turn.allowed,
    required: turn.required,
    options: Object.fromEntries(options),
    bounds: Object.fromEntries(turn.bounds),
    defaults: Object.fromEntries(turn.defaults),
    constants: turn.constants.map(({ key, label, text }) => [key, label, text]),
    problems: turnProblems(turn).map(({ slug, reason }) => [slug, reason]),
  }
  mustEqual(seen, expect)
}

interface OutputsRow extends RunRow {
  readonly leaf: string
  readonly language: string
  readonly held: readonly string[]
  readonly expect: unknown
}

function checkOutputs(definition: Definition, row: OutputsRow): void {
  const leaf = definition.nodes.find((node) => node.key === row.leaf)
  if (leaf === undefined) throw new Error(`there is no step ${row.leaf}`)
  const values = runValues(definition, answersFrom(row.answers), row.reference_date)
  const isHeld = (sourceKey: string): boolean => row.held.includes(sourceKey)
  const outputs = chooseOutputs(definition, leaf, { values, language: row.language, isHeld })
  const seen = outputs.map(({ output_key, source }) => [
    output_key,
    source.kind === 'template' ? source.asset_key : source.source_key,
  ])
  mustEqual({ held_inputs: heldSources(leaf, isHeld), outputs: seen }, row.expect)
}

interface LineRow extends Named {
  readonly parties: readonly string[]
  readonly outputs: readonly { readonly output_key: string; readonly signers?: readonly Signer[] }[]
  readonly expect: {
    readonly line: unknown
    readonly participants: unknown
    readonly after: readonly { readonly acted: number }[]
  }
}

function checkLine({ parties, outputs, expect }: LineRow): void {
  const definition = flowOf(parties)
  const made = outputs.map((output) => ({
    output_key: output.output_key,
    name: output.output_key,
    signers: signersOf(definition, { condition: null, languages: 'all', ...output }),
  }))
  const line = signingLine(made)
  const copies = (acted: number): unknown =>
    Object.fromEntries(made.map(({ output_key }) => [output_key, copiesOf(output_key, acted)]))
  const copiesOf = (output: string, acted: number): unknown =>
    Object.fromEntries(parties.map((party) => [party, copyStatus(line, acted, output, party)]))
  const seen = {
    line: line.map(({ output_key, party, action }) => [output_key, party, action]),
    participants: participants(definition, made, line).map(({ party_key, documents }) => [
      party_key,
      documents.map(({ output_key, position }) => [output_key, position]),
    ]),
    after: expect.after.map(({ acted }) => {
      const { open, sealed, isComplete } = lineState(line, acted)
      return { acted, open: open?.position ?? null, sealed, complete: isComplete, copies: copies(acted) }
    }),
  }
  mustEqual(seen, expect)
}

function flowOf(parties: readonly string[]): Definition {
  const listed = parties.map((key) => ({ key, label: key }))
  return { entry: '', output_mode: 'document', parties: listed, nodes: [], edges: [], constants: [] }
}

interface ImportRow extends Named {
  readonly export: unknown
  readonly expect: unknown
}

function checkImport({ export: written, expect }: ImportRow): void {
  const result = importFlow(written)
  if (!result.ok) return mustEqual({ problems: result.refusal.map(({ path }) => path) }, expect)
  const { name, definition, assets } = result.value
  mustEqual({ name, definition, assets: assets.map((asset) => asset.asset_key) }, expect)
}

interface MalformedRow extends Named {
  readonly definition: unknown
  readonly problems: readonly string[]
}

function checkMalformed({ definition, problems }: MalformedRow): void {
  const result = parseDefinition(definition)
  mustEqual(result.ok ? [] : result.refusal.map(({ path }) => path), problems)
}
