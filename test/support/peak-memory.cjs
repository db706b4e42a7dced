// Writes the most memory that the process had, in bytes, where the test looks for it.
process.on('exit', () => {
  const { writeFileSync } = require('node:fs');
  writeFileSync(`${process.env.PEAK_MEMORY}/${process.pid}`, String(process.resourceUsage().maxRSS * 1024));
});
