/** The limits of the forwarder, and of what a description may hold. */
export const PLUGIN_LIMITS = {
  manifestBytes: 256 * 1024,
  /** Of a sealed question and of a sealed reply. */
  sealedBytes: 64 * 1024,
  /** Until the last byte of a reply. */
  callMs: 3_000,
  manifestMs: 1_000,
  fieldTypes: 50,
  keyRollovers: 16,
  /** Of the blocks, inputs and outputs of a field type each. */
  members: 100,
  options: 50,
  nameCharacters: 200,
  labelCharacters: 1_000,
  idCharacters: 1_000,
  queryCharacters: 1_000,
  textCharacters: 4_000,
  tokenCharacters: 4_096,
} as const
