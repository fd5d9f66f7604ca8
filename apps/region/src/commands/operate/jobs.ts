import { parseUuid } from '@sealpost/kernel'
import { type OperatorCommand, UsageError } from './command.ts'

export const retryJobs: OperatorCommand = {
  takes: '<job id …> | <queue>',
  about: 'tries dead jobs again at once: those that are named, or all of a queue; the doctor lists them',
  async run({ platform: { jobs } }, [first, ...more]) {
    if (first === undefined) throw new UsageError('name jobs or a queue')
    const isQueue = parseUuid(first) === null && more.length === 0
    const retried = await jobs.retry(isQueue ? { queue: first } : { ids: readIds([first, ...more]) })
    if (retried === 0)
      throw new Error(`no dead job is called ${[first, ...more].join(' ')}: see the doctor’s report of jobs`)
    return `${retried} ${retried === 1 ? 'job is' : 'jobs are'} tried again`
  },
}

export const discardJobs: OperatorCommand = {
  takes: '<job id …>',
  about: 'forgets jobs, whatever their state; what they had to do does not happen',
  async run({ platform: { jobs } }, ids) {
    if (ids.length === 0) throw new UsageError('name jobs')
    const discarded = await jobs.discard(readIds(ids))
    return `forgot ${discarded} of ${ids.length} jobs`
  },
}

function readIds(texts: readonly string[]): readonly string[] {
  return texts.map((text) => {
    const id = parseUuid<string>(text)
    if (id === null) throw new UsageError(`${text} is not the id of a job`)
    return id
  })
}
