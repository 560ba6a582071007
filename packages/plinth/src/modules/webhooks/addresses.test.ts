import { expect, test } from 'vitest'
import { isPublicAddress, resolveReceiver } from './send.ts'

test.each([
  ...[
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '168.63.129.16',
  ],
  ...['100.64.0.1', '192.0.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '::', '::1', '::127.0.0.1'],
  ...[
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '::ffff:0:808:808',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12::1',
  ],
  ...['fe80::1', 'ff02::1', '2001:db8::1', '2001::1', 'no address', ''],
])('%s is not public', address => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2606:4700::1111', '2a00:1450::1'])(
  '%s is public',
  address => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

// URLs write one address in many ways; each is read before the check.
test.each([
  'https://127.1/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://[::1]/',
  'https://localhost/',
])('%s is refused', async url => {
  await expect(resolveReceiver(new URL(url), { allowPrivate: false })).rejects.toThrow('not a public one')
})
