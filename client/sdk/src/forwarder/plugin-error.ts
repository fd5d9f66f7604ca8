const sentences = {
  not_responding: 'The plugin does not respond; try again later',
  key_changed:
    'The plugin has another key than this side knows, and the known key does not vouch for it, so nothing is sealed to it: ' +
    'let the person compare the fingerprints in `newKey` and call confirmKey, or the author of the plugin publish how the ' +
    'former key vouches for the new one',
  key_not_offered: 'The plugin has not offered the key that was confirmed: show `newKey` again',
  inputs_missing: 'The field cannot be answered yet: inputs of the plugin have no value that may be sent',
  blocks_missing: 'Fill the blocks that this needs first',
  unknown_block: 'The plugin field has no such block, or not of this kind',
  not_a_plugin_field: 'The step has no plugin field of this slug',
  value_invalid: 'The value is not of the type of its block',
  question_too_large: 'The question is larger than 64 KiB; shorten the values',
  reply_invalid: 'The plugin replied something that cannot be used; its author has to correct it',
} as const

export type PluginRefusal = keyof typeof sentences

/** Why an input has no value for the plugin. */
export type PluginInputRefusal = 'unwired' | 'unanswered' | 'other_party_private' | 'not_convertible'

/** A plugin field cannot be used now. Switch on `reason`. Refusals of the forwarder are `SealpostError`s instead. */
export class PluginError extends Error {
  override readonly name = 'PluginError'
  readonly reason: PluginRefusal
  /** Set for `inputs_missing`: the reason by input key. */
  readonly inputs: Readonly<Record<string, PluginInputRefusal>>

  /** `subject`: the field, block or member that this is about, never a value. */
  constructor(reason: PluginRefusal, subject: string, inputs: Readonly<Record<string, PluginInputRefusal>> = {}) {
    super(`${sentences[reason]} (${subject}).`)
    this.reason = reason
    this.inputs = inputs
  }
}
