import type { ScanBudget } from '../content/scan-budget.ts'
import { Tokenizer } from '../content/tokenizer.ts'
import { type Edit, editContent } from './edit-content.ts'

/** The appearance of a field without its text: border and background. */
export function withoutText(content: Uint8Array, budget: ScanBudget): Uint8Array<ArrayBuffer> {
  const tokenizer = new Tokenizer(content, budget)
  const edits: Edit[] = []
  let start: number | null = null
  for (let operator = tokenizer.next(); operator !== null; operator = tokenizer.next()) {
    if (operator.name === 'BT') start ??= operator.start
    if (operator.name !== 'ET' || start === null) continue
    edits.push({ start, end: operator.end, text: ' ' })
    start = null
  }
  return editContent(content, edits)
}
