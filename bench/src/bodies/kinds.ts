/** A request that the limits of the API admit, made to be expensive. */
export interface Kind {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Absent for a read. */
  readonly make?: () => Buffer
}

const MIB = 1_048_576
/** Just below the largest body. */
const LARGEST = 63 * MIB
/** Just below the most values of a body. */
const MOST_VALUES = 49_900
/** base64 of the largest document, sealed. */
const SEALED_CHARACTERS = 4 * Math.floor((33 * MIB) / 3)

const list = (length: number, element: (index: number) => string): string =>
  Array.from({ length: Math.floor(length) }, (_, index) => element(index)).join()

/** `fileField`: a field of the caller that holds a document. */
export function expensiveKinds(fileField: string): readonly Kind[] {
  const put = (name: string, make: () => string): Kind => ({
    name,
    method: 'PUT',
    path: `/api/contact-data/${fileField}`,
    make: () => Buffer.from(make()),
  })
  return [
    put('a sealed file', () => JSON.stringify({ value: sealedText(SEALED_CHARACTERS) })),
    put('a file in the clear', () => JSON.stringify({ value: clearText(24 * MIB), is_private: false })),
    put('one text', () => `{"value":"${'A'.repeat(LARGEST)}"}`),
    put('escapes', () => `{"value":"${String.raw`\u0041`.repeat(LARGEST / 6)}"}`),
    put('escaped quotes', () => `{"value":"${String.raw`\"`.repeat(LARGEST / 2)}"}`),
    put('letters of three bytes', () => `{"value":"${'€'.repeat(LARGEST / 3)}"}`),
    put('blanks', () => `${' '.repeat(LARGEST)}{"value":"x"}`),
    put('a number', () => `{"value":${'9'.repeat(LARGEST)}}`),
    put('zeros', () => `{"value":"__proto__","a":[${'0,'.repeat(LARGEST / 2)}0]}`),
    put('objects', () => `[${'{},'.repeat(LARGEST / 3)}0]`),
    put('deep lists', () => '['.repeat(LARGEST)),
    ...smallKinds(put),
    { name: 'a connection with many decisions', method: 'POST', path: '/api/company-connections', make: manyDecisions },
    ...['/api/contact-data', '/api/contact-fields?limit=500', '/api/company-connections'].map((path): Kind => ({
      name: `XML of ${path}`,
      method: 'GET',
      path,
      headers: { accept: 'application/xml' },
    })),
  ]
}

function withShares(share: string): string {
  return `{"value":"x","shares":[${list(MOST_VALUES / 6, () => share)}]}`
}

function smallKinds(put: (name: string, make: () => string) => Kind): readonly Kind[] {
  return [
    put('many names', () => `{"value":"x",${list(MOST_VALUES, (index) => `"k${index}":1`)}}`),
    put('names that are numbers', () => `{"value":"x",${list(MOST_VALUES, (index) => `"${index * 1024}":1`)}}`),
    put('many __proto__', () => `{"value":"x","a":[${list(MOST_VALUES / 3, () => '{"__proto__":{}}')}]}`),
    put('many deep objects', () => `[${list(MOST_VALUES / 90, () => '{"a":'.repeat(90) + '1' + '}'.repeat(90))}]`),
    put('many faults', () => withShares('0')),
    put('many shares', () =>
      withShares('{"connection_id":"01890a5d-ac96-774b-bcce-b302099a8057","slug":"a","value":"x"}'),
    ),
    put('an escaped __proto__', () => String.raw`{"value":"\u005f_proto__","\u005f_proto__":{"value":1}}`),
  ]
}

function manyDecisions(): Buffer {
  const decisions = list(MOST_VALUES / 4, (index) => `{"slug":"s${index}","kind":"text","value":"x"}`)
  return Buffer.from(`{"code":"NORTHWIND/ORDERS","decisions":[${decisions}]}`)
}

/** A wrapper by its form; what it seals does not matter to the platform. */
export function sealedText(characters: number): string {
  return `{"_enc":1,"k":"${'A'.repeat(342)}==","iv":"${'A'.repeat(16)}","d":"${'A'.repeat(characters)}"}`
}

function clearText(bytes: number): string {
  const file = Buffer.alloc(bytes, 0x41)
  file.write('%PDF-1.7\n')
  return JSON.stringify({
    file: `data:application/pdf;base64,${file.toString('base64')}`,
    original_name: 'a.pdf',
    mime_type: 'application/pdf',
    size: bytes,
  })
}
