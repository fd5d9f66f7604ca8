export const BUS_CREDENTIALS = {
  name: 'bus:credentials',
  takes: '--out FOLDER [--install-at FOLDER] [--rotate PARTY] [--new-authority] [--retire]',
  about:
    'writes keys, permissions and certificates of the NATS servers of REGIONS; see docs/runbooks/bus-credentials.md',
} as const
