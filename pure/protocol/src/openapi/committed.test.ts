import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { API_VERSION, apiDocumentNames, errorPages, openApiDocument } from '../index.ts'

const docs = new URL('../../../../docs/', import.meta.url)
const committed = (path: string) => readFileSync(new URL(path, docs), 'utf8')

test.each(apiDocumentNames)('the committed document %s is what is served (npm run generate writes it)', (document) => {
  const printed = openApiDocument(document, { version: API_VERSION })
  expect(JSON.parse(JSON.stringify(printed))).toEqual(JSON.parse(committed(`api/${document}.json`)))
})

test('the committed page about errors has every section as it is printed', () => {
  const page = `${committed('errors.md')}\n`
  for (const { title, about, sections } of errorPages().chapters) {
    expect(page.includes(`## ${title}\n\n${about}\n`), title).toBe(true)
    for (const { key, mark, sentence, remedy, facts } of sections) {
      const list = facts.map((fact) => `\n- ${fact}`).join('')
      expect(page.includes(`### \`${key}\` (${mark})\n\n${sentence}.\n\n${remedy}\n${list}\n`), key).toBe(true)
    }
  }
})
