import { digestJson } from '../canonical-json.ts'

/**
 * A hash of the content of a delivery without its `id`: every delivery of an event has another body id, so it does not
 * identify the event. Event, subject (person and slug, document or request) and payload do.
 */
export async function contentKey(event: Readonly<Record<string, unknown>>): Promise<string> {
  const { id: _id, ...content } = event
  return `content:${await digestJson(content)}`
}
