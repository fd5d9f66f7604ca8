import type { Play, Running } from './play.ts'

/** All that the service's region stores of a run and the readers' regions of theirs, as one text to compare. */
export async function rowsOfRun({ world, lane, cast, runId }: Running): Promise<string> {
  const { serviceId, company } = lane.service
  const owner = await world.rows(
    `select run.rev::int, run.status, run.current_node, run.updated_at, run.private_slugs, run.cancelled_by,
      (select count(*)::int from flows_service.answer where service_id = $1 and run_id = $2) as answers,
      (select count(*)::int from flows_service.answer_file
        where service_id = $1 and run_id = $2 and id not like 'gi%') as files,
      (select string_agg(id || status || rev, ' ' order by id) from documents_service.document
        where service_id = $1 and run_id = $2) as documents
    from flows_service.run where service_id = $1 and id = $2`,
    [serviceId, runId],
    company.region === 'eu' ? 'eu' : 'us',
  )
  const users = [...cast.customers.values()].map(({ user }) => user.userId)
  const customers = await Promise.all(
    (['eu', 'us'] as const).map((site) =>
      world.rows(
        // Copies that others have uploaded arrive at any time; the inputs of a refused generate go with it.
        `select account_id, (select count(*)::int from flows_customer.file
          where file.account_id = run.account_id and file.run_id = run.id and not is_used and file.id not like 'gi%') as files
        from flows_customer.run where account_id = any($1::uuid[]) and id = $2 order by account_id`,
        [users, runId],
        site,
      ),
    ),
  )
  return JSON.stringify([owner, ...customers])
}

/** The runs and staged files of the service. */
export async function rowsOfService({ world, lane: { service } }: Play): Promise<string> {
  const rows = await world.rows(
    `select (select count(*)::int from flows_service.run where service_id = $1) as runs,
      (select count(*)::int from flows_service.participant where service_id = $1) as participants,
      (select count(*)::int from flows_service.source_file where service_id = $1) as files,
      (select count(*)::int from flows_service.source_file where service_id = $1 and run_id is not null) as used`,
    [service.serviceId],
    service.company.region === 'eu' ? 'eu' : 'us',
  )
  return JSON.stringify(rows)
}

/** The number of the state, which no answer shows. */
export async function revAtOwner({ world, lane: { service }, runId }: Running): Promise<number | null> {
  const [row] = await world.rows<{ rev: number }>(
    'select rev::int from flows_service.run where service_id = $1 and id = $2',
    [service.serviceId, runId],
    service.company.region === 'eu' ? 'eu' : 'us',
  )
  return row?.rev ?? null
}

/** The number of the state, and of the own copies of answers. */
export async function arrivedAtCustomer(
  { world, runId }: Running,
  { userId, region }: { readonly userId: string; readonly region: string },
): Promise<{ readonly rev: number; readonly answers: number } | null> {
  const [row] = await world.rows<{ rev: number; answers: number }>(
    `select rev::int, (select count(*)::int from flows_customer.answer where account_id = $1 and run_id = $2) as answers
    from flows_customer.run where account_id = $1 and id = $2`,
    [userId, runId],
    region === 'eu' ? 'eu' : 'us',
  )
  return row ?? null
}
