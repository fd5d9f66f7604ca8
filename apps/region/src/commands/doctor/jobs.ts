import type { Jobs, JobsHealth } from '@sealpost/jobs'
import { formatInstant } from '@sealpost/kernel'

type DeadJob = JobsHealth['dead'][number]
type Queue = JobsHealth['queues'][number]

/** Which jobs wait, and which need an operator. */
export async function diagnoseJobs(jobs: Jobs): Promise<string> {
  const { queues, dead } = await jobs.health()
  if (queues.length === 0) return 'no job waits'
  return [...queues.map(describeQueue), ...dead.map(describeDead)].join('\n')
}

/** The lines of the general report: nothing while no job is dead. */
export async function listDeadJobs(jobs: Jobs): Promise<readonly string[]> {
  return (await jobs.health()).dead.map(describeDead)
}

function describeQueue({ queue, waiting, running, delayed, blocked, dead, oldestDueAt }: Queue): string {
  const since = oldestDueAt === null ? '' : `, the oldest due since ${formatInstant(oldestDueAt)}`
  return `${queue}: ${waiting} waiting${since}; ${running} running, ${delayed} delayed, ${blocked} behind another of their key, ${dead} dead`
}

function describeDead({ id, kind, tenantId, attempts, failedAt, error }: DeadJob): string {
  const what = `job ${id} (${kind} of ${tenantId}) is dead after ${attempts} attempts, the last ${formatInstant(failedAt)}`
  return `${what}: ${error}; operate jobs:retry ${id} once the cause is gone, or jobs:discard ${id}`
}
