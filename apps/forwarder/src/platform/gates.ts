import { addressName, type Gates } from '@sealpost/http'

/** Every route is public: a caller shows a pass in the body, and the limits are those of its plugin. */
export const gates: Gates<never> = {
  checkPlatform() {},
  authenticate() {
    throw new Error('no route of the forwarder takes a token')
  },
  checkHome() {},
  checkAccess() {},
  ownerOf: ({ ip }) => addressName(ip),
  takeFromLimits: () => [],
  checkWrites() {},
  checkLevel() {},
  nameOf: () => '',
}
