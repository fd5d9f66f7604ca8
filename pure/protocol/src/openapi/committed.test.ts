import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { API_VERSION, apiDocumentNames, errorPages, openApiDocument } from '../index.ts'

const docs = new URL('../../../../docs/', import.meta.url)
const committed = (path: string) => readFileSync(new URL(path, docs), 'utf8')

test.each(apiDocumentNames)('the committed document %s is what is served (npm run generate writes it)', (document) => {
  const printed = openApiDocument(document, { version: API_VERSION })
  expect(JSON.parse(JSON.stringify(printed))).toEqual(JSON.parse(committed(`api/${document}.json`)))
})

test.each(errorPages().chapters)(
  'the committed page about errors has the chapter $title as it is printed',
  (chapter) => {
    const page = `${committed('errors.md')}\n`
    const parts = chapter.sections.map(({ key, mark, sentence, remedy, facts }) => {
      const list = facts.map((fact) => `\n- ${fact}`).join('')
      return `### \`${key}\` (${mark})\n\n${sentence}.\n\n${remedy}\n${list}\n`
    })
    const missing = [`## ${chapter.title}\n\n${chapter.about}\n`, ...parts].filter((part) => !page.includes(part))
    expect(missing).toEqual([])
  },
)
