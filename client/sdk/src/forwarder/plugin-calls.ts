import { generateKeyPair, importOpeningKey, openWrapper } from '@sealpost/crypto'
import { type Filled, PLUGIN_LIMITS, writeQuestion } from '@sealpost/plugin'
import { isSealpostError } from '../errors.ts'
import { hostPlatform } from '../keys/host.ts'
import { PublicKey } from '../keys/public-key.ts'
import { SealingError } from '../keys/sealing-error.ts'
import type { CallOptions } from '../options.ts'
import type { Wire } from '../wire.ts'
import { PluginError } from './plugin-error.ts'
import type { PluginPass, PluginSpec, ReadPass } from './plugin-pass.ts'
import {
  confirmKey,
  judgeKey,
  type KeyState,
  type OfferedKey,
  type PluginKeyChange,
  type PluginTrust,
} from './plugin-trust.ts'
import { postToForwarder } from './post-to-forwarder.ts'

export type Asked =
  | { readonly op: 'options'; readonly block: string; readonly query: string }
  | { readonly op: 'outputs' }

/** The recoveries that one call has left. */
interface Chances {
  reseal: boolean
  renew: boolean
}

/** The side that asks. */
export interface PluginCaller {
  readonly wire: Wire
  readonly readPass: ReadPass
  readonly trust: PluginTrust
}

/** Calls of the plugins of one step. The forwarder carries them and reads none of them. */
export class PluginCalls {
  readonly #caller: PluginCaller
  #pass: PluginPass
  /** By plugin. */
  readonly #keys = new Map<string, KeyState>()

  private constructor(caller: PluginCaller, pass: PluginPass) {
    this.#caller = caller
    this.#pass = pass
  }

  static async open(caller: PluginCaller, options: CallOptions): Promise<PluginCalls> {
    const calls = new PluginCalls(caller, await caller.readPass(signalOf(options)))
    await calls.#judgePass()
    return calls
  }

  spec(slug: string): PluginSpec {
    const { specs } = this.#pass
    const spec = Object.hasOwn(specs, slug) ? specs[slug] : undefined
    if (spec === undefined) throw new PluginError('not_a_plugin_field', slug)
    return spec
  }

  /** Why the plugin cannot be asked; null when it can. */
  problem({ plugin_id: id, snapshot: { plugin_name: name } }: PluginSpec): PluginError | null {
    const state = this.#keyOf(id)
    return state.kind === 'trusted' ? null : refusalOf(state, name)
  }

  keyChange({ plugin_id: id }: PluginSpec): PluginKeyChange | null {
    const state = this.#keyOf(id)
    return state.kind === 'changed' ? state.change : null
  }

  /** The key with this fingerprint, which the person was shown. */
  async confirmKey({ plugin_id: id, snapshot }: PluginSpec, fingerprint: string): Promise<void> {
    const state = this.#keyOf(id)
    if (state.kind !== 'changed' || state.change.received !== fingerprint)
      throw new PluginError('key_not_offered', snapshot.plugin_name)
    this.#keys.set(id, await confirmKey(this.#caller.trust, id, state.offered))
  }

  /** The opened reply. Repeats once with a new key of the plugin that is trusted, and once with a new pass. */
  async ask(spec: PluginSpec, asked: Asked, filled: Filled, options: CallOptions): Promise<string> {
    const chances: Chances = { reseal: true, renew: true }
    for (;;) {
      const key = this.#keyOf(spec.plugin_id)
      if (key.kind !== 'trusted') throw refusalOf(key, spec.snapshot.plugin_name)
      try {
        return await this.#askOnce(spec, key.publicKey, asked, filled, options)
      } catch (error) {
        await this.#recover(spec, chances, error, options)
      }
    }
  }

  async #askOnce(spec: PluginSpec, key: string, asked: Asked, filled: Filled, options: CallOptions): Promise<string> {
    const platform = hostPlatform()
    // A reply key for this call alone: no later leak of a key opens the reply.
    const { publicKey, privateKey } = await generateKeyPair(platform)
    const opening = await importOpeningKey(platform, privateKey)
    if (!opening.ok) throw new SealingError(opening.refusal)
    const question = writeQuestion(asked, spec.field_type, filled, publicKey)
    const request = await (await PublicKey.import(key)).seal(question)
    if (request.length > PLUGIN_LIMITS.sealedBytes) throw new PluginError('question_too_large', spec.snapshot.label)
    const reply = await this.#post(spec.plugin_id, request, options)
    const opened = await openWrapper(platform, opening.value, reply)
    if (opened.ok) return opened.value
    throw new PluginError('reply_invalid', `${spec.snapshot.plugin_name}, ${opened.refusal}`)
  }

  async #post(pluginId: string, request: string, { signal }: CallOptions): Promise<string> {
    const members = { plugin_id: pluginId, request }
    const reply = await postToForwarder(this.#caller.wire, this.#pass, '/call', members, 'reply', signal)
    if (typeof reply === 'string') return reply
    throw new PluginError('reply_invalid', 'the forwarder')
  }

  /** Returns when the question may be asked once more, otherwise throws the error. */
  async #recover(spec: PluginSpec, chances: Chances, error: unknown, options: CallOptions): Promise<void> {
    if (chances.reseal && isSealpostError(error, 'plugin.key_changed')) {
      chances.reseal = false
      await this.#judge({ ...error.details, id: spec.plugin_id }, 'refusal')
    } else if (chances.renew && isSealpostError(error) && (error.status === 401 || error.status === 403)) {
      chances.renew = false
      this.#pass = await this.#caller.readPass(signalOf(options))
      await this.#judgePass()
    } else {
      throw error
    }
  }

  async #judgePass(): Promise<void> {
    for (const plugin of this.#pass.plugins) await this.#judge(plugin, 'pass')
  }

  async #judge(offered: OfferedKey, from: 'pass' | 'refusal'): Promise<void> {
    this.#keys.set(offered.id, await judgeKey(this.#caller.trust, offered, from))
  }

  #keyOf(pluginId: string): KeyState {
    return this.#keys.get(pluginId) ?? { kind: 'none' }
  }
}

function refusalOf({ kind }: Exclude<KeyState, { kind: 'trusted' }>, pluginName: string): PluginError {
  return new PluginError(kind === 'none' ? 'not_responding' : 'key_changed', pluginName)
}

function signalOf({ signal }: CallOptions): CallOptions {
  return signal === undefined ? {} : { signal }
}
