import { isPluginQuestion, type PluginQuestion } from '@sealpost/protocol'

/** Null for a text that is no question. The error of the parser is dropped: it quotes the question. */
export function readQuestion(opened: string): PluginQuestion | null {
  try {
    const value: unknown = JSON.parse(opened)
    return isPluginQuestion(value) ? value : null
  } catch {
    return null
  }
}
