/** The size limits of a definition. Generous for people, small enough that every check of it stays quick. */
export const DEFINITION_LIMITS = {
  parties: 20,
  nodes: 500,
  edges: 2_000,
  elementsPerNode: 200,
  elements: 2_000,
  optionsPerField: 500,
  constants: 500,
  outputsPerLeaf: 20,
  rulesPerOutput: 50,
  signersPerRule: 40,
  languagesPerRule: 200,
  pluginMembers: 100,
  /** The size of an export. */
  assets: 500,
  keyCharacters: 64,
  /** For references to other parts: a wrong name is found at publish, not refused at once. */
  nameCharacters: 200,
  labelCharacters: 1_000,
  textCharacters: 50_000,
} as const

/** More problems than this are of no use; the rest is left out. */
export const PROBLEMS_SHOWN = 100
