/** Definitions of field types, as authors write them. The types of picks, values, inputs and outputs follow from them. */

export type Awaitable<T> = T | Promise<T>

export interface Option {
  /** 1 to 1,000 characters; stays the same while the option means the same. */
  readonly id: string
  /** What the person sees; 1 to 1,000 characters. */
  readonly label: string
}

/** What is known when options are asked for. */
export interface Asked {
  /** Option ids by block: those of `dependsOn`, each of them checked. */
  readonly picks: Readonly<Record<string, string>>
  /** Values of the typed blocks of `dependsOn`. */
  readonly values: Readonly<Record<string, string | number>>
  /** Wired inputs by key; an optional one without a value is absent. */
  readonly inputs: Readonly<Record<string, string | number | boolean>>
  /** Aborted when the time for an answer is over. */
  readonly signal: AbortSignal
}

interface BlockBase {
  readonly label: string
  /** Keys of earlier blocks that have to be filled first. Picking one of them anew clears this block. */
  readonly dependsOn?: readonly string[]
}

/** All options, or a function that returns them: the kit searches in their labels, cuts the list and checks picks. */
export interface ListedBlock extends BlockBase {
  readonly kind: 'search_select'
  readonly options: readonly Option[] | ((asked: Asked) => Awaitable<readonly Option[]>)
}

/** For lists that are too long to be held: the author searches, and says whether an id is still an option. */
export interface SearchedBlock extends BlockBase {
  readonly kind: 'search_select'
  /** Return one more than `limit` when there are more. An empty query asks for the first ones of all. */
  readonly search: (query: string, asked: Asked & { readonly limit: number }) => Awaitable<readonly Option[]>
  readonly has: (id: string, asked: Asked) => Awaitable<boolean>
}

export interface TypedBlock extends BlockBase {
  readonly kind: 'text' | 'number' | 'date'
}

export type BlockDefinition = ListedBlock | SearchedBlock | TypedBlock
export type BlockDefinitions = Readonly<Record<string, BlockDefinition>>

export type ValueTypeName = 'number' | 'date' | 'boolean' | 'text'

export interface InputDefinition {
  readonly type: ValueTypeName
  readonly label: string
  /** A required input must be wired in the flow; the kit refuses a question without it. */
  readonly required?: boolean
}
export type InputDefinitions = Readonly<Record<string, InputDefinition>>

export interface OutputDefinition {
  readonly type: ValueTypeName
  readonly label: string
}
export type OutputDefinitions = Readonly<Record<string, OutputDefinition>>

/** Dates are text, `YYYY-MM-DD`. */
type ValueOf<Type> = Type extends 'number' ? number : Type extends 'boolean' ? boolean : string

type Picks<Blocks> = {
  readonly [Key in keyof Blocks as Blocks[Key] extends { kind: 'search_select' } ? Key : never]: string
}
type Values<Blocks> = {
  readonly [Key in keyof Blocks as Blocks[Key] extends { kind: 'search_select' } ? never : Key]: Blocks[Key] extends {
    kind: 'number'
  }
    ? number
    : string
}
type Inputs<Definitions extends InputDefinitions> = {
  readonly [Key in keyof Definitions]: Definitions[Key] extends { required: true }
    ? ValueOf<Definitions[Key]['type']>
    : ValueOf<Definitions[Key]['type']> | undefined
}
type Outputs<Definitions extends OutputDefinitions> = {
  readonly [Key in keyof Definitions]: ValueOf<Definitions[Key]['type']> | null
}

/** Returned by `compute` when the picks do not fit the inputs or each other: the person picks again. */
export const picksInvalid: unique symbol = Symbol('picks invalid')

export interface FieldTypeDefinition<
  Blocks extends BlockDefinitions,
  In extends InputDefinitions,
  Out extends OutputDefinitions,
> {
  readonly key: string
  readonly label: string
  /** In the order in which the person fills them. */
  readonly blocks: Blocks
  readonly inputs?: In
  readonly outputs: Out
  /** Called with every block filled and every pick checked. */
  readonly compute: (filled: {
    readonly picks: Picks<Blocks>
    readonly values: Values<Blocks>
    readonly inputs: Inputs<In>
    readonly signal: AbortSignal
  }) => Awaitable<Outputs<Out> | typeof picksInvalid>
}

/** A definition without the types of its members, as `openPlugin` takes it. */
export interface AnyFieldType {
  readonly key: string
  readonly label: string
  readonly blocks: BlockDefinitions
  readonly inputs?: InputDefinitions
  readonly outputs: OutputDefinitions
  readonly compute: (filled: never) => Awaitable<Readonly<Record<string, unknown>> | typeof picksInvalid>
}

/** Defines a field type. Gives it back unchanged: the types of `compute` are inferred here. */
export function fieldType<
  const Blocks extends BlockDefinitions,
  const Out extends OutputDefinitions,
  const In extends InputDefinitions = Readonly<Record<string, never>>,
>(definition: FieldTypeDefinition<Blocks, In, Out>): FieldTypeDefinition<Blocks, In, Out> {
  return definition
}
