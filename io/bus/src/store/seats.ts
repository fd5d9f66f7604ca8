import { columns, runStatement, type Tx } from '@sealpost/postgres'

/** Several machines compare these times, so they are the database's: see bus.seat. */
const TAKE = `
insert into bus.seat as seat (name, holder, until)
select name, $2, clock_timestamp() + make_interval(secs => $3) from unnest($1::text[]) as name order by name
on conflict (name) do update set holder = excluded.holder, until = excluded.until
  where seat.holder = excluded.holder or seat.until <= clock_timestamp()
returning name`
const TAKE_COLUMNS = columns({ name: 'text' })

/** Takes the free and own seats among these for the given time and answers them; the others are held by other processes. */
export async function takeSeats(
  tx: Tx,
  names: readonly string[],
  holder: string,
  seconds: number,
): Promise<ReadonlySet<string>> {
  const rows = await runStatement(tx, TAKE, [names, holder, seconds], TAKE_COLUMNS)
  return new Set(rows.map(({ name }) => name))
}

export async function leaveSeats(tx: Tx, holder: string): Promise<void> {
  await runStatement(tx, 'delete from bus.seat where holder = $1', [holder])
}
