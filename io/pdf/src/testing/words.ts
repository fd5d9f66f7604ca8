import { runTool } from './tools.ts'

/** A word of a page as Poppler finds it; points from the upper left corner. */
export interface Word {
  readonly page: number
  readonly text: string
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** `pdftotext -bbox`: words in the order of reading, with their places. */
export async function wordsOf(path: string): Promise<readonly Word[]> {
  const { code, output } = await runTool('pdftotext', '-bbox', path, '-')
  if (code !== 0) throw new Error('pdftotext cannot read the file')
  return output.split('<page ').flatMap((page, number) =>
    Array.from(page.matchAll(WORD), ([, left, top, right, bottom, text = '']) => ({
      page: number,
      text: unescaped(text),
      left: Number(left),
      top: Number(top),
      right: Number(right),
      bottom: Number(bottom),
    })),
  )
}

const WORD = /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)<\/word>/g

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
