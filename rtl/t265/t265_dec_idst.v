// Inverse DST-VII of four points (clause 8.6.4.2), or four values 128 times as large, for
// transform skip.
//
// Mirror:     t265/hwdec/itransform.go
// Latency:    2
// Throughput: 4 values a cycle
// Storage:    164 bits

`default_nettype none

module t265_dec_idst (
  input  wire        clk_i,
  input  wire        en_i,      // there are values
  input  wire        skip_i,    // transform skip
  input  wire [63:0] values_i,  // s16
  output wire [99:0] sums_o     // s25
);

  reg        go_q;
  reg        skip_q;
  reg [63:0] in_q;
  reg [99:0] sum_q;

  wire [24:0] a = {{9{in_q[15]}}, in_q[15:0]};
  wire [24:0] b = {{9{in_q[31]}}, in_q[31:16]};
  wire [24:0] c = {{9{in_q[47]}}, in_q[47:32]};
  wire [24:0] d = {{9{in_q[63]}}, in_q[63:48]};

  // 29 = 32 - 3, 55 = 64 - 9, 74 = 64 + 10, and 84 = 29 + 55.
  wire [24:0] ac   = a + c;
  wire [24:0] cd   = c + d;
  wire [24:0] ad   = a - d;
  wire [24:0] mid  = a - c + d;
  wire [24:0] ac29 = (ac << 5) - (ac << 1) - ac;
  wire [24:0] ad29 = (ad << 5) - (ad << 1) - ad;
  wire [24:0] cd29 = (cd << 5) - (cd << 1) - cd;
  wire [24:0] ac55 = (ac << 6) - (ac << 3) - ac;
  wire [24:0] ad55 = (ad << 6) - (ad << 3) - ad;
  wire [24:0] cd55 = (cd << 6) - (cd << 3) - cd;
  wire [24:0] b74  = (b << 6) + (b << 3) + (b << 1);
  wire [24:0] m74  = (mid << 6) + (mid << 3) + (mid << 1);

  always @(posedge clk_i) begin
    go_q <= en_i;
    if (en_i) begin
      in_q   <= values_i;
      skip_q <= skip_i;
    end
    if (go_q) begin
      sum_q <= skip_q ? {d << 7, c << 7, b << 7, a << 7}
                      : {ac55 + ad29 - b74, m74, ad55 - cd29 + b74, ac29 + cd55 + b74};
    end
  end

  assign sums_o = sum_q;

endmodule

`default_nettype wire
