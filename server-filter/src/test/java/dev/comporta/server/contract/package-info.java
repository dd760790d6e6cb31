/**
 * The contract that the filter keeps on every server: an application, and a suite that speaks HTTP
 * to it and knows nothing of the server.
 */
package dev.comporta.server.contract;
