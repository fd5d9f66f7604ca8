/** The names of the parameters in a path: `/connections/:id` has `id`. */
type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export type Params<Path extends string> = { readonly [Name in ParamsOf<Path>]: string }

type Given<Path extends string> = ParamsOf<Path> extends never ? [] : [params: Params<Path>]

/** Links are made from the table of pages, so one that leads nowhere does not compile. */
export function linksTo<Table extends Readonly<Record<string, string>>>(table: Table) {
  return function href<Name extends keyof Table & string>(name: Name, ...rest: Given<Table[Name]>): string {
    const given: Readonly<Record<string, string>> = rest[0] ?? {}
    return (table[name] ?? '/').replaceAll(/:(\w+)/g, (_match, key: string) => encodeURIComponent(given[key] ?? ''))
  }
}
