import { issueEntry, type IssueKey, type IssueSeverity, type PublishIssue } from '@sealpost/protocol'
import type { JsonPointer } from '../definition/pointer.ts'

/** `detail` names the faulty part, as in `the party “buyer”`. */
export function issue(
  key: IssueKey,
  path: JsonPointer,
  detail: string,
  severity: IssueSeverity = issueEntry(key).severity,
): PublishIssue {
  const { sentence, remedy } = issueEntry(key)
  return { error_key: key, severity, path, message: `${sentence}: ${detail}. ${remedy}` }
}

export function quoted(text: string): string {
  return `“${text}”`
}
