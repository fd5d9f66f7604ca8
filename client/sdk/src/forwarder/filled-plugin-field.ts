import type { Result } from '@sealpost/kernel'
import {
  isTypedValue,
  parseOptionsReply,
  parseOutputsReply,
  type PluginValue,
  type Problem,
  writeAnswer,
} from '@sealpost/plugin'
import type { CallOptions } from '../options.ts'
import type { PluginCalls } from './plugin-calls.ts'
import { PluginError, type PluginInputRefusal } from './plugin-error.ts'
import type { PluginAnswer, PluginField, PluginOption, PluginOptions } from './plugin-field.ts'
import type { PluginBlock, PluginSnapshot, PluginSpec } from './plugin-pass.ts'
import type { PluginKeyChange } from './plugin-trust.ts'

/** Values of the inputs by key, or why a required one has none. */
export type PluginInputs = Result<ReadonlyMap<string, unknown>, ReadonlyMap<string, PluginInputRefusal>>

/** The state of a plugin field; outputs are kept only while everything that they follow from is unchanged. */
export class FilledPluginField implements PluginField {
  readonly slug: string
  readonly #calls: PluginCalls
  readonly #spec: PluginSpec
  readonly #picks = new Map<string, PluginOption>()
  readonly #values = new Map<string, string | number>()
  #inputs: PluginInputs
  /** The outputs of exactly the present state; null when they have to be asked for. */
  #answered: Extract<PluginAnswer, { kind: 'answered' }> | null = null

  constructor(calls: PluginCalls, slug: string, spec: PluginSpec, inputs: PluginInputs) {
    this.#calls = calls
    this.#spec = spec
    this.slug = slug
    this.#inputs = inputs
  }

  get snapshot(): PluginSnapshot {
    return this.#spec.snapshot
  }

  get blocks(): Readonly<Record<string, PluginOption | string | number>> {
    return Object.fromEntries<PluginOption | string | number>([...this.#picks, ...this.#values])
  }

  get problem(): PluginError | null {
    const unasked = this.#calls.problem(this.#spec)
    if (unasked !== null) return unasked
    if (this.#inputs.ok) return null
    return new PluginError('inputs_missing', this.slug, Object.fromEntries(this.#inputs.refusal))
  }

  get newKey(): PluginKeyChange | null {
    return this.#calls.keyChange(this.#spec)
  }

  confirmKey(fingerprint: string): Promise<void> {
    return this.#calls.confirmKey(this.#spec, fingerprint)
  }

  get text(): string | null {
    return this.#answered?.text ?? null
  }

  /** The present values of the inputs. Changed ones make the outputs stale: `answer` asks for them again. */
  useInputs(inputs: PluginInputs): void {
    if (!isSame(this.#inputs, inputs)) this.#answered = null
    this.#inputs = inputs
  }

  async options(block: string, query = '', options: CallOptions = {}): Promise<PluginOptions> {
    const { depends_on: needed = [] } = this.#block(block, 'search_select')
    const inputs = this.#usableInputs()
    const missing = needed.filter((key) => !this.#isFilled(key))
    if (missing.length > 0) throw new PluginError('blocks_missing', missing.join(', '))
    const text = await this.#ask({ op: 'options', block, query }, inputs, options)
    const reply = parseOptionsReply(text)
    if (!reply.ok) throw this.#unusable(reply.refusal)
    // An earlier pick has vanished: there is nothing to offer until it is picked again.
    if (reply.value.kind === 'picks_invalid') return { options: [], more: false }
    const { options: found, more } = reply.value
    return { options: found, more }
  }

  pick(block: string, option: PluginOption): void {
    this.#block(block, 'search_select')
    if (this.#picks.get(block)?.id !== option.id) this.#clearBelow(block)
    this.#picks.set(block, { id: option.id, label: option.label })
    this.#answered = null
  }

  fill(block: string, value: string | number): void {
    const { kind } = this.#block(block, 'typed')
    if (kind === 'search_select' || !isTypedValue(kind, value)) throw new PluginError('value_invalid', block)
    if (this.#values.get(block) !== value) this.#clearBelow(block)
    this.#values.set(block, value)
    this.#answered = null
  }

  clear(block: string): void {
    this.#clearBelow(block)
    this.#picks.delete(block)
    this.#values.delete(block)
    this.#answered = null
  }

  async answer(options: CallOptions = {}): Promise<PluginAnswer> {
    const inputs = this.#usableInputs()
    const missing = this.snapshot.blocks.map(({ key }) => key).filter((key) => !this.#isFilled(key))
    if (missing.length > 0) throw new PluginError('blocks_missing', missing.join(', '))
    if (this.#answered !== null) return this.#answered
    const text = await this.#ask({ op: 'outputs' }, inputs, options)
    const reply = parseOutputsReply(text, this.snapshot.outputs)
    if (!reply.ok) throw this.#unusable(reply.refusal)
    if (reply.value.kind === 'picks_invalid') {
      this.#picks.clear()
      return { kind: 'picks_invalid' }
    }
    const { outputs } = reply.value
    this.#answered = {
      kind: 'answered',
      text: writeAnswer(this.snapshot, this.#spec.field_type, { picks: this.#picks, values: this.#values }, outputs),
      outputs: Object.fromEntries(outputs),
    }
    return this.#answered
  }

  #ask(
    asked: Parameters<PluginCalls['ask']>[1],
    inputs: ReadonlyMap<string, PluginValue>,
    options: CallOptions,
  ): Promise<string> {
    const picks = new Map([...this.#picks].map(([key, { id }]) => [key, id]))
    return this.#calls.ask(this.#spec, asked, { picks, values: new Map(this.#values), inputs }, options)
  }

  /** No call is made while the field cannot be answered. */
  #usableInputs(): ReadonlyMap<string, PluginValue> {
    const { problem } = this
    if (problem !== null || !this.#inputs.ok) throw problem ?? new PluginError('inputs_missing', this.slug)
    return new Map([...this.#inputs.value].filter((entry): entry is [string, PluginValue] => isPlain(entry[1])))
  }

  #block(key: string, wanted: 'search_select' | 'typed'): PluginBlock {
    const block = this.snapshot.blocks.find((one) => one.key === key)
    if (block === undefined || (block.kind === 'search_select') !== (wanted === 'search_select')) {
      throw new PluginError('unknown_block', key)
    }
    return block
  }

  #isFilled(key: string): boolean {
    return this.#picks.has(key) || this.#values.has(key)
  }

  #clearBelow(changed: string): void {
    const stale = new Set([changed])
    for (const { key, depends_on: needed = [] } of this.snapshot.blocks) {
      if (!needed.some((one) => stale.has(one))) continue
      stale.add(key)
      this.#picks.delete(key)
      this.#values.delete(key)
    }
  }

  #unusable([first]: readonly Problem[]): PluginError {
    const where = first === undefined ? '' : `, ${first.path} ${first.problem}`
    return new PluginError('reply_invalid', `${this.snapshot.plugin_name}${where}`)
  }
}

function isPlain(value: unknown): value is PluginValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function isSame(one: PluginInputs, other: PluginInputs): boolean {
  const entries = (inputs: PluginInputs): string =>
    JSON.stringify(inputs.ok ? ['ok', ...inputs.value] : ['refused', ...inputs.refusal])
  return entries(one) === entries(other)
}
