import type { Words } from '../../words/en/index.ts'
import type { FieldView } from '../../worker/commands/data.ts'

type Named = Pick<FieldView, 'slug' | 'label' | 'isOwn'>

/** The platform's fields in the language of the app, own ones as the person called them. */
export function labelOf({ data }: Words, { slug, label, isOwn }: Named): string {
  return isOwn ? label : (data.fields[slug] ?? label)
}
