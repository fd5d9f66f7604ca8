import { type OptionsReply, PLUGIN_LIMITS as LIMITS, type PluginOption } from '@sealpost/plugin'
import type { Asked, ListedBlock, Option, SearchedBlock } from './definition.ts'

type SearchSelect = ListedBlock | SearchedBlock

/** The options of a block that fit a query; at most 50. */
export async function findOptions(
  block: SearchSelect,
  key: string,
  query: string,
  asked: Asked,
): Promise<OptionsReply> {
  const found = 'options' in block ? matching(await listOf(block, asked), query) : await searchIn(block, query, asked)
  const options = found.slice(0, LIMITS.options).map((option) => checkedOption(option, key))
  const ids = options.map(({ id }) => id)
  const repeated = ids.find((id, at) => ids.indexOf(id) !== at)
  if (repeated !== undefined)
    throw new TypeError(`block ${key} has two options with the id ${JSON.stringify(repeated)}`)
  return { kind: 'options', options, more: found.length > LIMITS.options }
}

export async function hasOption(block: SearchSelect, id: string, asked: Asked): Promise<boolean> {
  if (!('options' in block)) return block.has(id, asked)
  return (await listOf(block, asked)).some((option) => option.id === id)
}

async function listOf({ options }: ListedBlock, asked: Asked): Promise<readonly Option[]> {
  return typeof options === 'function' ? options(asked) : options
}

async function searchIn(block: SearchedBlock, query: string, asked: Asked): Promise<readonly Option[]> {
  return block.search(query, { ...asked, limit: LIMITS.options })
}

/** Every word of the query is in the label, in any case and with any accents. */
function matching(options: readonly Option[], query: string): readonly Option[] {
  const words = plain(query)
    .split(/\s+/)
    .filter((word) => word !== '')
  return options.filter(({ label }) => words.every((word) => plain(label).includes(word)))
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
}

function checkedOption({ id, label }: Option, key: string): PluginOption {
  if (isText(id, LIMITS.idCharacters) && isText(label, LIMITS.labelCharacters)) return { id, label }
  throw new TypeError(
    `block ${key} returned an option without a usable id or label: both are texts of 1 to ${LIMITS.idCharacters} characters`,
  )
}

function isText(text: unknown, limit: number): boolean {
  return typeof text === 'string' && text.trim() !== '' && text.length <= limit
}
