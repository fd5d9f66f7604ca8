import { runStatement, type Tx } from '@sealpost/postgres'

/** Several machines compare these times, so they are the database's: see bus.seat. */
const TAKE = `
insert into bus.seat as seat (name, holder, until)
values ($1, $2, clock_timestamp() + make_interval(secs => $3))
on conflict (name) do update set holder = excluded.holder, until = excluded.until
  where seat.holder = excluded.holder or seat.until <= clock_timestamp()
returning name`

/** Takes a free or own seat for the given time; false while another process holds it. */
export async function takeSeat(tx: Tx, name: string, holder: string, seconds: number): Promise<boolean> {
  return (await runStatement(tx, TAKE, [name, holder, seconds])).length > 0
}

export async function leaveSeats(tx: Tx, holder: string): Promise<void> {
  await runStatement(tx, 'delete from bus.seat where holder = $1', [holder])
}
