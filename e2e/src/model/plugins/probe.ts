/** The field types of the plugin that records what it is asked. */
export type ProbeType = 'open' | 'strict'

interface ProbeInput {
  readonly key: string
  readonly type: 'text' | 'number'
  readonly label: string
  readonly required: boolean
}

const text = (key: string, required = false): ProbeInput => ({ key, type: 'text', label: key, required })

/** `strict` cannot be answered without its first input. */
export const probeInputs: Readonly<Record<ProbeType, readonly ProbeInput[]>> = {
  open: [text('one'), text('two'), text('three'), { key: 'count', type: 'number', label: 'count', required: false }],
  strict: [text('one', true), text('two')],
}

export const BLOCK = 'pick'

/** As the platform pins it in a definition. */
export function snapshotOf(probe: ProbeType): object {
  return {
    plugin_name: 'Probe',
    host: 'probe.example',
    label: probe,
    blocks: [{ key: BLOCK, kind: 'search_select', label: 'Pick' }],
    inputs: probeInputs[probe],
    outputs: [{ key: 'note', type: 'text', label: 'Note' }],
  }
}
