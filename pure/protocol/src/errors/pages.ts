import { type IssueEntry, issueCatalog } from '../issues.ts'
import { type ErrorArea, errorAreas } from './areas.ts'
import type { ErrorEntry } from './entry.ts'
import { describeMembers } from './members.ts'

/** The text of the page about errors, with the marks of Markdown: `docs/errors.md` and the front door's page print it. */
export interface ErrorPages {
  readonly intro: string
  readonly example: string
  readonly rules: readonly string[]
  readonly chapters: readonly ErrorChapter[]
}

export interface ErrorChapter {
  readonly title: string
  readonly about: string
  readonly sections: readonly ErrorSection[]
}

/** Each section has its key as its anchor. */
export interface ErrorSection {
  readonly key: string
  /** The statuses of an error, or the severities of an issue. */
  readonly mark: string
  readonly sentence: string
  readonly remedy: string
  readonly facts: readonly string[]
}

export function errorPages(): ErrorPages {
  return {
    intro:
      'Every refusal has the same body, as JSON or, where a route answers XML, as `<response>` with the same members:',
    example: '{ "error": "There is no such connection", "error_key": "company_data.connection_not_found" }',
    rules: RULES,
    chapters: [...Object.values<ErrorArea>(errorAreas).map(chapterOf), issues()],
  }
}

const RULES: readonly string[] = [
  `**Branch on \`error_key\`.** Keys never change their meaning. \`error\` is a sentence for humans: it may name the concrete
  reason and may be reworded.`,
  'Some keys add members; they are listed below. New members may appear, so ignore those you do not know.',
  `At \`/oauth2/token\`, \`/oauth2/result\` and \`/oauth2/revoke\` keys with an OAuth code answer in the shape of RFC 6749:
  \`{"error": "<code>", "error_description": "…", "error_key": "…"}\`.`,
  `**Retries.** A call that answered 429 or 503 with \`Retry-After\` had no effect: repeat it after that many seconds. On 401
  get a new token, once; on 421 use the other address, once. Any other error stays the same until the call changes. Send an
  \`Idempotency-Key\` with every POST that creates, so that the call can be repeated when its answer was lost.`,
  '**Reporting.** Every answer carries `X-Request-Id`. Quote it in a support request: it finds the call in the logs.',
  '**Help.** Every refusal carries `Link: <…/docs/errors#KEY>; rel="help"`, the address of its entry at the front door.',
  'A resource of another owner answers exactly like a missing one.',
]

function chapterOf({ title, about, entries }: ErrorArea): ErrorChapter {
  return { title, about, sections: Object.entries(entries).map(([key, entry]) => sectionOf(key, entry)) }
}

function sectionOf(key: string, entry: ErrorEntry): ErrorSection {
  const { details, oauthError, otherStatus, remedy, retryAfterSeconds, sentence, status } = entry
  const facts = details === undefined ? [] : describeMembers(details)
  if (oauthError !== undefined) facts.push(`OAuth code: \`${oauthError}\``)
  if (retryAfterSeconds !== undefined) facts.push(`\`Retry-After\`: ${retryAfterSeconds} seconds`)
  const mark = [status, otherStatus].filter((each) => each !== undefined).join(' or ')
  return { key, mark, sentence, remedy, facts }
}

/** Findings of the publication of a flow: no answers of their own. */
function issues(): ErrorChapter {
  return {
    title: 'Issues found when a flow is published',
    about: `They are not separate answers: they are listed in \`issues\` of [\`flows.publish_invalid\`](#flows.publish_invalid) and, if
all are warnings, in \`warnings\` of a successful publication. Errors block, warnings do not.`,
    sections: Object.entries<IssueEntry>(issueCatalog).map(([key, entry]) => {
      const { otherSeverity, remedy, sentence, severity } = entry
      const mark = otherSeverity === undefined ? severity : `${severity} or ${otherSeverity}`
      return { key, mark, sentence, remedy, facts: [] }
    }),
  }
}
