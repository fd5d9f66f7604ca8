/** Everything that a list of the SDK reads page by page. */
export async function allOf<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const all: Row[] = []
  for await (const row of rows) all.push(row)
  return all
}
