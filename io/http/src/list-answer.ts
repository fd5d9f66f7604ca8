/** Where the items of a list come from, batch by batch, so that no page has to be in memory as a whole. */
export interface ListSource {
  /** The member of the answer that holds the items. */
  readonly member: string
  /** True: the page may end early, at the size of `pageBytes`. False: it has every item, and is sent as it is made. */
  readonly endsAtSize: boolean
  /** The next items in wire form; null at the end. */
  next(): Promise<readonly unknown[] | null>
  /** Members of the answer beside items, total and cursor, with the values that a check of a batch uses for them. */
  readonly furtherMembers?: Readonly<Record<string, unknown>>
  /** The other members, once `written` items were written. */
  rest(written: number): Promise<Readonly<Record<string, unknown>>>
}

/** The answer of a list; `Body` is what a caller reads. */
export class ListAnswer<Body> {
  /** Only for the compiler. */
  declare readonly body: Body
  readonly source: ListSource

  constructor(source: ListSource) {
    this.source = source
  }

  /** The complete answer, for callers within the process. */
  async collect(): Promise<Body> {
    const { source } = this
    const items: unknown[] = []
    for (let batch = await source.next(); batch !== null; batch = await source.next()) items.push(...batch)
    const body: unknown = { ...(await source.rest(items.length)), [source.member]: items }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the source made each member in wire form
    return body as Body
  }
}
